import { isMessage, isPattern, isTaught } from "../../context/teaching-context.ts";
import type { ScanCheck } from "../../scan-check.ts";

const TRACKS =
  /\bhistory\s+-c\b|\bunset\s+histfile|histfile=\/dev\/null|histsize=0\b|(?:rm\s+(?:-\w+\s+)?|>\s*|shred\s+(?:-\w+\s+)?|truncate\s[^\n]{0,20}|ln\s+-sf?\s+\/dev\/null\s+)["']?(?:~|[$]home)?\/?\.(?:bash|zsh)_history|(?:rm\s+-\w+\s+|>\s*|truncate\s+-s\s*0\s+)["']?\/var\/log\/(?:auth|secure|syslog|wtmp|lastlog|messages|audit|\*)|wevtutil\s+cl\b|clear-eventlog|clear-history\b|set-psreadlineoption[^\n]{0,60}savenothing|\bauditctl\s+-e\s*0|\bjournalctl\s+--vacuum-(?:time=1s|size=1)|os\.remove\(\s*__file__\s*\)|rm\s+(?:-\w+\s+)?["']?[$]0["']?(?:\s|$)|unlinksync\(__filename\)|touch\s+-r\s+\/bin/;

export const coverTracks: ScanCheck = {
  id: "cover-tracks",
  severity: "medium",
  category: "destructive",
  summary: "Shell history, logs or the script itself are erased.",
  explanation:
    "Somebody who removes the record of what ran does not want it looked at. Together with a download or data that is sent it is high.",
  words: [
    "history -c",
    "histfile",
    "histsize",
    "_history",
    "/var/log",
    "wevtutil",
    "clear-eventlog",
    "clear-history",
    "savenothing",
    "auditctl",
    "journalctl",
    "__file__",
    "$0",
    "__filename",
    "touch -r",
  ],
  look: (line) => {
    const at = line.text.search(TRACKS);
    if (
      at === -1 ||
      !line.isCode ||
      isTaught(line) ||
      isMessage(line, at) ||
      (line.file.kind === "script" && isPattern(line))
    )
      return undefined;
    if (
      line.quotesAttacks ||
      /\blog (?:rotat|clean)|disk (?:space|clean)|free up/.test(line.file.skill.profile.claim)
    )
      return undefined;
    const near = line.around(25, 10);
    const joined =
      /\b(?:curl|wget|nc|scp)\b|requests\.|url(?:open|retrieve)|fetch\(|base64|\/dev\/tcp/.test(
        near,
      ) && !/journalctl/.test(line.text);
    return { message: "It erases the record of what ran", severity: joined ? "high" : "medium" };
  },
};
