import { isMessage, isPattern, isTaught } from "../../context/teaching-context.ts";
import type { ScanCheck } from "../../scan-check.ts";

const KEYS =
  /(?:>{1,2}|tee\s+-a)\s*["']?[\w~$/{}.]{0,60}authorized_keys|(?:open|appendfile(?:sync)?|writefile(?:sync)?)\s*\([^\n]{0,100}authorized_keys|authorized_keys["')\s,]{1,6}["'](?:a|w|a\+)["']|authorized_keys[^\n]{0,40}\.write|add-content[^\n]{0,60}authorized_keys/;

export const authorizedKeys: ScanCheck = {
  id: "authorized-keys",
  severity: "critical",
  category: "persistence",
  summary: "A key is added that opens this machine over SSH.",
  explanation:
    "Whoever has the other half of the key can log in from then on. Skills that administer servers show it for the user's own key, which is no finding; a key that comes with the skill is.",
  words: ["authorized_keys"],
  look: (line) => {
    const at = line.text.search(KEYS);
    if (
      at === -1 ||
      line.zone === "comment" ||
      isTaught(line) ||
      isMessage(line, at) ||
      (line.file.kind === "script" && isPattern(line))
    )
      return undefined;
    const near = line.around(6, 3);
    const foreign =
      /ssh-(?:rsa|ed25519|dss)\s+aaaa|ecdsa-sha2\S{0,20}\s+aaaa|\b(?:curl|wget)\b|requests\.get|urlopen|fetch\(|base64/.test(
        near,
      );
    const explained =
      /\bssh|server|vps|deploy|provision|host|linux|sysadmin|ansible|cloud|droplet|access|homelab|remote/.test(
        line.file.skill.profile.claim,
      );
    if (foreign && !/id_\w{3,8}\.pub|\.pub\b/.test(line.text))
      return {
        message: "It lets a key of somebody else log in",
        severity: line.quotesAttacks ? "medium" : "critical",
      };
    return line.zone === "code" && !explained
      ? { message: "It lets another key log in", severity: "high" }
      : undefined;
  },
};

const HOOK =
  /(?:>{1,2}|tee|cp\s[^\n]{0,80}|ln\s[^\n]{0,80}|open\(|writefile(?:sync)?\(|install\s[^\n]{0,60})\s*[^\n]{0,60}\.git\/hooks\/[\w-]{3,30}|git\s+config\s+--global\s+(?:core\.hookspath|core\.fsmonitor|core\.sshcommand|core\.editor|init\.templatedir|url\.)|template\/hooks/;

export const gitHook: ScanCheck = {
  id: "git-hook",
  severity: "high",
  category: "persistence",
  summary: "A Git hook or a global Git setting is installed that sends or fetches something.",
  explanation:
    "Hooks run on every commit, push or checkout, in every copy of the user's work. Hooks that check or format are usual and no finding; hooks that reach the network or hide their output are.",
  words: [
    ".git/hooks",
    "hookspath",
    "core.fsmonitor",
    "core.sshcommand",
    "templatedir",
    "template/hooks",
    "--global url.",
  ],
  look: (line) => {
    const at = line.text.search(HOOK);
    if (at === -1 || line.zone === "comment" || isTaught(line) || isMessage(line, at))
      return undefined;
    const near = line.around(8, 14);
    const harmful =
      /\b(?:\\n)?n?(?:curl|wget)\b[^\n]{0,200}(?:\s-d|--data|\s-f\s|-x post|\s-t\s|[$]\(|\|\s*(?:ba)?sh)|\/dev\/tcp|base64\s+-+d|requests\.post|\bnc\s|>\s*\/dev\/null\s+2>&1\s*&|\.ssh\/|\.aws\/|\bnohup\b|core\.sshcommand|insteadof[^\n]{0,60}/.test(
        near,
      );
    if (!harmful) return undefined;
    return {
      message: "It installs a Git hook or setting that does more than check",
      severity: line.quotesAttacks ? "medium" : "high",
    };
  },
};
