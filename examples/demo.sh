#!/bin/sh
# The main job on the bundled workspace, on two screens: index, recall, retain, reflect, and why it holds what it holds.
# Usage: examples/demo.sh [FOLDER]      (default: ./demo; a folder that is there already is left alone)
# COMMAND is what the commands to try next call, where that is not commonplace.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
command=${COMMAND:-commonplace} # as a reader can call it: make has it in .venv alone
command -v commonplace >/dev/null || {
    echo "commonplace is not on the PATH; run: make demo" >&2
    exit 1
}
COMMONPLACE_WORKSPACE=$(sh "$here/copy.sh" "${1:-demo}")
export COMMONPLACE_WORKSPACE
cd "$COMMONPLACE_WORKSPACE"

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$(printf '\033[1m') dim=$(printf '\033[2m') off=$(printf '\033[0m'); else bold='' dim='' off=''; fi

# Print what a step shows, then the command as one would type it, then what the command prints, at most 96 columns wide.
step() {
    case $1 in ' '*) ;; *) echo ;; esac
    printf '%s%s%s\n%s$ %s%s\n' "$bold" "$1" "$off" "$dim" "$2" "$off"
    printf '%s\n' "$2" | sed 's/commonplace /commonplace --today 2025-12-01 /' >"$script"
    sh "$script" >"$printed" || exit 1
    LC_ALL=C awk -v most=98 '
        function width(text) {  # columns of UTF-8, in any awk: a character has one, Chinese and Japanese ones two
            gsub(/[\200-\277]/, "", text)
            return gsub(/[\343-\355]/, "&", text) + length(text)
        }
        width($0) <= most { print; next }
        {
            line = ""; count = split($0, words, " ")
            for (at = 1; at <= count; at++) {
                if (line != "" && width(line words[at]) >= most) { print line; line = " " }
                line = line (line == "" ? "" : " ") words[at]
            }
            print line
        }' "$printed"
}

script=$(mktemp) printed=$(mktemp)
trap 'rm -f "$script" "$printed"' EXIT

echo "Ten weeks of an assistant's logs, in six languages; today is December 1, 2025."
step "1. Index: derived from the Markdown in a moment, and disposable." \
    "commonplace index"
step "2. Recall: a few cited lines. What is current leads, and what it replaced says so." \
    "commonplace recall 'when do the backups at The Castle run?' --k 2"
step "   In any of the languages:" \
    "commonplace recall '王芳住在哪里？' | head -n 1"
step "3. Retain: one more fact, into today's log." \
    "commonplace retain 'W @Peter: Landed in Vienna on December 1, 2025 with KP 418.'"
step "4. Reflect: pages of who and what there is, renewed from the logs." \
    "commonplace reflect --yes | head -n 1"
step "   On one of them, what is so now and what was so before:" \
    "grep -A 1 -e '## Current' -e '## History' bank/entities/Mariano.md"
step "   In September nobody tagged anything; this page is made of the best lines of those logs:" \
    "grep Decision: bank/entities/Torsten-Wieland.md"
step "5. Why: each opinion keeps its evidence, and what it did to the confidence." \
    "commonplace opinions Peter --history | grep -A 3 '^0.51'"

cat <<END

${bold}Open in any editor${off}, below $COMMONPLACE_WORKSPACE:
  bank/entities/Peter.md, bank/opinions.md, bank/review.md, memory/2025-12-01.md
${bold}Try next${off}; after its first line $command --today 2025-12-01 serve opens all of it in a browser:
  export COMMONPLACE_WORKSPACE='$COMMONPLACE_WORKSPACE'
  $command --today 2025-12-01 recall 'what did we decide about Redis?'
  $command init ~/notes     # a memory of your own; docs/tutorial.md takes ten minutes
END
