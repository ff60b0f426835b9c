#!/bin/sh
# The main job on the bundled workspace: index, recall, retain, reflect. Each step shows the command that it runs.
# Usage: examples/demo.sh [FOLDER]      (default: ./demo; a folder that is there already is left alone)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
command -v commonplace >/dev/null || {
    echo "commonplace is not on the PATH; run: make demo" >&2
    exit 1
}

folder=${1:-demo}
number=2
base=$folder
while [ -e "$folder" ]; do
    folder=$base-$number
    number=$((number + 1))
done
cp -R "$here/workspace" "$folder"
cd "$folder"

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$(printf '\033[1m') dim=$(printf '\033[2m') off=$(printf '\033[0m'); else bold='' dim='' off=''; fi
export COMMONPLACE_WORKSPACE="$PWD"

say() { printf '\n%s%s%s\n' "$bold" "$1" "$off"; }

# Print a command as one would type it, then run it.
run() {
    printf '%s$ commonplace' "$dim"
    for word in "$@"; do
        case $word in
        *[!A-Za-z0-9_./:=-]*) printf " '%s'" "$(printf '%s' "$word" | sed "s/'/'\\\\''/g")" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '%s\n' "$off"
    commonplace --today 2025-12-01 "$@"
}

echo "A copy of examples/workspace is in $PWD."
echo "The commands below run there (COMMONPLACE_WORKSPACE), on the day after its last log (--today 2025-12-01)."

say "Six weeks of an assistant's logs, in six languages. The index is derived from them in a moment."
run index

say "An exact term: an error code."
run recall ERR_WS_1006 --k 4

say "An entity."
run recall 'tell me about The Castle' --k 5

say "A date in words."
run recall 'what happened around November 27' --k 5

say "A preference, with its confidence."
run recall 'what does Peter prefer on WhatsApp?' --k 3

say "The same memory in another language."
run recall '王芳住在哪里？' --k 2

say "Retain: one more fact, into today's log. Saying it twice writes it once."
run retain 'W @Peter: Landed in Vienna on December 1, 2025 with KP 418, at 19:52.'
run retain 'W @Peter: Landed in Vienna on December 1, 2025 with KP 418, at 19:52.'

say "Reflect renews the pages of the bank from the facts. First only show what it would write."
diff=$(mktemp)
trap 'rm -f "$diff"' EXIT
run reflect --dry-run >"$diff"
head -n 40 "$diff"
lines=$(wc -l <"$diff" | tr -d ' ')
[ "$lines" -le 40 ] || printf '%s… and %d lines more%s\n' "$dim" $((lines - 40)) "$off"

say "Then write it."
run reflect --yes

say "What it holds to be so now, and why."
run opinions Peter --history

say "Done. Open the folder in any editor: it is plain Markdown."
echo "  $PWD"
echo "  bank/entities/Peter.md, bank/opinions.md and bank/review.md are new or grew; memory/2025-12-01.md holds your fact."
echo "  Go on with:  commonplace --workspace $PWD --today 2025-12-01 recall 'what did we decide about Redis?'"
