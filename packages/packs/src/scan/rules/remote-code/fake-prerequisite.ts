import { isForbidden, isSetup, isTaught } from "../../context/teaching-context.ts";
import { isInstallerHost, isOwnHost, isPasteHost, targetsOf } from "../../facts/hosts.ts";
import type { ScanLine } from "../../context/scan-line.ts";
import type { ScanCheck, Suspicion } from "../../scan-check.ts";

const PROTECTED =
  /\b(?:extract|unzip|unpack|decompress|unlock|archive|zip|rar|7z)\b[^.\n]{0,120}\bpass(?:word|phrase|code)?\b\s*(?:is|:|=)?\s*["'(]?(?!protected|for\b|from\b|to\b|is\b|and\b|the\b|when\b|if\b|you\b|of\b|or\b|that\b|with\b|in\b|manager|field|before|prompt|before)[\w!@#-]{3,}|\bpass(?:word|phrase|code)?\b\s*(?:is|:|=)\s*["']?[\w!@#-]{3,}[^.\n]{0,80}\b(?:extract|unzip|archive|zip|rar)|(?:zip|rar|7z|archive)[^.\n]{0,60}\bpassword[- ]protected[^.\n]{0,60}(?:pass|:)|\bunzip\s+-p\s*\S{3,}/;
const DOWNLOAD = /https?:\/\/|\bdownload\b/;
const RUN = /\b(?:run|execute|launch|install|double-click|start|open)\b/;
const PASTED =
  /\b(?:copy|paste|enter|run|execute)\b[^.\n]{0,80}\b(?:terminal|powershell|command prompt|shell|cmd|console)\b/;
const BINARY =
  /https?:\/\/[^\s)"'`]{4,240}\.(?:exe|msi|dmg|pkg|scr|bat|ps1|command|app\.zip|jar|hta|vbs)\b/;
const PRESSURE =
  /\b(?:required|must|mandatory|will not work|won'?t work|cannot (?:work|function|run)|does(?:n'?t| not) work|before (?:using|you|running|first)|prerequisites?|critical|important|essential|necessary)\b/;

const NEEDED =
  /\b(?:must be installed|requires? (?:the )?[\w .`'"*-]{2,50} (?:to be )?installed|(?:required|mandatory) (?:utility|driver|helper|component|dependency)|need to (?:install|download)|quick ?(?:setup|start|install)\w* (?:here|link)|required (?:before|for)|without it|before (?:using|proceeding)|will not (?:work|function))\b/;
const FREE_HOST =
  /https?:\/\/[\w.-]{1,80}\.(?:vercel\.app|netlify\.app|pages\.dev|workers\.dev|web\.app|firebaseapp\.com|github\.io|glitch\.me|surge\.sh|onrender\.com|herokuapp\.com|repl\.co|replit\.app|forum|top|xyz|icu|click|lol|zip|mov|sbs|cyou|rest)\b/;
const SYSTEMS = /\b(?:windows|macos|mac os|osx)\b/;

/** A helper on a host that anybody gets for nothing. */
function freeHostedPrerequisite(line: ScanLine): Suspicion | undefined {
  if (!line.isProse || !FREE_HOST.test(line.text)) return undefined;
  const near = line.around(4, 2);
  if (!NEEDED.test(near) || !/\bdownload|install\b/.test(near) || isTaught(line)) return undefined;
  const host = targetsOf(line.text).find(({ url }) => FREE_HOST.test(url))?.host ?? "a host";
  return {
    message: `It wants a program from ${host} installed first`,
    severity: SYSTEMS.test(near) ? "high" : "medium",
  };
}

export const fakePrerequisite: ScanCheck = {
  id: "fake-prerequisite",
  severity: "high",
  category: "remote-code",
  summary:
    "The skill wants a helper installed from a locked archive, a paste, or a program file on an unknown host.",
  explanation:
    'Campaigns against skill users hide malware behind a "required" helper: an archive with a password, so that scanners cannot look inside, or a snippet to paste into a terminal. Real prerequisites are packages with a name and a publisher.',
  words: [
    "password",
    "passcode",
    "passphrase",
    "unzip -p",
    "7z x",
    "pass:",
    "terminal",
    "powershell",
    "command prompt",
    ".exe",
    ".msi",
    ".dmg",
    ".pkg",
    ".scr",
    ".ps1",
    ".bat",
    ".command",
    ".hta",
    ".vbs",
    ".jar",
    "snippet",
    ".app",
    ".dev",
    ".io",
    ".com/",
    ".forum",
    ".xyz",
    ".top",
    "glitch.me",
    "repl.co",
    "surge.sh",
    "paste",
  ],
  look: (line) => {
    if (
      !/pass|unzip|7z|terminal|powershell|command prompt|shell|cmd|console|https?:|snippet|paste/.test(
        line.text,
      )
    )
      return undefined;
    if (line.zone === "code" || line.zone === "config") return lookAtScript(line.text);
    const free = freeHostedPrerequisite(line);
    if (free !== undefined) return free;
    const text = line.around(3, 4);
    const own = line.sentence;
    if (line.zone !== "comment" && (isTaught(line) || isForbidden(line, 0))) return undefined;
    const hosts = targetsOf(text).map(({ host }) => host);
    const severity = line.quotesAttacks && !isSetup(line) ? "medium" : "high";
    if (
      PROTECTED.test(own) &&
      DOWNLOAD.test(text) &&
      RUN.test(text) &&
      !/\bpdf\b|\bencrypt\w*|\bbackup\b|\bdatabase\b/.test(own)
    )
      return {
        message: "It wants a program from an archive that is locked with a password",
        severity,
      };
    const paste = hosts.find((host) => isPasteHost(host));
    if (
      paste !== undefined &&
      PASTED.test(text) &&
      /\b(?:visit|open|copy|go to|get|snippet|command|code|script|download)\b/.test(text)
    )
      return { message: `It wants a command from ${paste} pasted into a terminal`, severity };
    const binary = BINARY.exec(own);
    if (binary !== null && RUN.test(text) && PRESSURE.test(`${text} ${line.place.headings}`)) {
      const host = targetsOf(binary[0])[0];
      if (
        host === undefined ||
        (isInstallerHost(host.host) &&
          !/githubusercontent|amazonaws|googleapis/.test(host.host) &&
          !/github\.com/.test(host.host)) ||
        isOwnHost(host.host, line.file.skill.profile.claim)
      )
        return undefined;
      const unknown = host.isAddress || isPasteHost(host.host) || !host.isSecure;
      return {
        message: `It wants a program from ${host.host} run first`,
        severity: unknown ? severity : "medium",
      };
    }
    return undefined;
  },
};

function lookAtScript(text: string) {
  return /\bunzip\s+-P\s*\S+|\b7z[az]?\s+x\b[^\n]{0,60}-p\w+/i.test(text) &&
    /https?:\/\/|&&|;/.test(text)
    ? {
        message: "It unpacks an archive that is locked with a fixed password",
        severity: "medium" as const,
      }
    : undefined;
}
