#!/bin/sh
# Copy the bundled workspace to FOLDER, or to FOLDER-2, FOLDER-3 … where that is taken, and print where it is.
# Usage: export COMMONPLACE_WORKSPACE="$(sh examples/copy.sh ~/quill)"
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?say where: a folder that need not exist}
number=2
base=$folder
while [ -e "$folder" ]; do
    folder=$base-$number
    number=$((number + 1))
done
cp -R "$here/workspace" "$folder"
cd "$folder"
pwd
