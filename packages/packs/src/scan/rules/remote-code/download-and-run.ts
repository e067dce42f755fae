import type { ScanLine } from "../../context/scan-line.ts";
import { assignedAddress } from "../../context/spelled-commands.ts";
import {
  isExample,
  isForbidden,
  isMessage,
  isPattern,
  isSetup,
  isTaught,
} from "../../context/teaching-context.ts";
import {
  isInstallerHost,
  isOminousHost,
  isOwnHost,
  isPasteHost,
  isPrivateHost,
  type Target,
  targetsOf,
} from "../../facts/hosts.ts";
import type { ScanCheck } from "../../scan-check.ts";
import type { ScanSeverity } from "../../scan-finding.ts";
import { isStartedAfter } from "./started-paths.ts";

const SHELL = String.raw`(?:sudo\s+(?:-\w+\s+)?)?(?:env\s+)?(?:\w+=\S{0,80}\s+)?(?:/(?:usr/)?bin/)?(?:ba|z|da|k|fi)?sh\b|(?:sudo\s+)?(?:/(?:usr/)?bin/)?(?:python3?|node|perl|ruby|php|osascript|bun|deno)\b(?!\s+-{1,2}(?:[cemnpr]|ne|pe|lane|print|eval)\b|\s+[\w./~$-]{1,80}\.(?:py|m?js|rb|pl|ts)\b)`;
const PIPED = new RegExp(
  String.raw`\b(?:curl|wget)\b[^\n]{0,300}?\|\s*(?:tee\s+\S+\s*\|\s*)?(?:${SHELL})`,
);
const SUBSTITUTED =
  /(?:\b(?:ba|z|da)?sh|\bsource|\beval|\bpython3?|(?:^|\s)\.)\s+(?:-c\s+)?["']?(?:<\s*\(|[$]\(|`)\s*(?:curl|wget)\b/;
const POWERSHELL =
  /(?:\biex\b|invoke-expression)[^\n]{0,80}(?:downloadstring|invoke-webrequest|iwr|irm|invoke-restmethod|new-object\s+net\.webclient)|(?:\birm\b|\biwr\b|invoke-webrequest|invoke-restmethod|downloadstring)[^\n]{0,200}\|\s*(?:iex|invoke-expression)/;
const SAVED =
  /\b(?:curl|wget|invoke-webrequest|iwr)\b[^\n;&|]{0,300}?(?:\s-o|\s--output|\s-outfile|\s>)/g;
const STARTED =
  /(?:&&|;)[^\n]{0,160}?(?:chmod\s+(?:\+x|[0-7]{3})|\b(?:ba|z)?sh\s+\S|\bpython3?\s+\S|\.\/\S|start-process|\bopen\s+\S+\.(?:pkg|dmg|app|command)|sudo\s+\S+|nohup)/;
const MAX_DOWNLOADS = 5;
const SAVED_BY_NAME =
  /\b(?:wget|curl\s+(?:-\w+\s+)*-\w*o)\b[^\n]{0,200}\/([\w.-]{2,60})["']?\s*(?:&&|;|&)\s*(?:sudo\s+)?(?:(?:ba|z)?sh|python3?|node|chmod\s+\S+|\.\/)\s*\.?\/?\1/;
const FETCHED_CODE =
  /(?<![.\w])(?:exec|eval|execfile)\s*\([^\n]{0,120}(?:requests\.get|urlopen|httpx\.get|fetch\(|axios|\.text\b|urllib)|\bnew function\s*\([^\n]{0,80}(?:await\s+\S{1,60}\.text|\.text\(\)|res(?:ponse)?\.(?:data|text|body))|(?:pickle|marshal|dill|cloudpickle|joblib)\.loads?\s*\([^\n]{0,100}(?:requests\.|urlopen|httpx|\.content\b|recv\()|os\.system\([^\n]{0,60}(?:curl|wget)[^\n]{0,200}\|\s*(?:ba)?sh|(?<![.\w])(?:vm\.run\w*|eval)\([^\n]{0,60}(?:res(?:ponse)?\.(?:text|data|body)|await\s+fetch)/;

export const downloadAndRun: ScanCheck = {
  id: "download-and-run",
  severity: "high",
  category: "remote-code",
  summary: "Something is downloaded and run at once.",
  explanation:
    "What runs is whatever the host answers on that day, unread and outside of the skill's digest. From the publisher of a well-known tool, over https, this is a usual way to install and is reported as low. From an address, a paste, plain http or a host nobody knows it is how malware is delivered. Pin a version and check a digest, or name a package.",
  words: [
    "curl",
    "wget",
    "iex",
    "invoke-expression",
    "iwr",
    "irm ",
    "downloadstring",
    "requests.get",
    "urlopen",
    "httpx.get",
    "fetch(",
    "pickle",
    "marshal",
    "dill",
    "eval(",
    "exec(",
    "new function",
    "invoke-webrequest",
    "vm.run",
  ],
  look: (line) => {
    const { text } = line;
    const at =
      [PIPED, SUBSTITUTED, POWERSHELL, SAVED_BY_NAME, FETCHED_CODE]
        .map((pattern) => text.search(pattern))
        .find((index) => index !== -1) ??
      savedAndStarted(text) ??
      acrossLines(line);
    if (at === undefined || (line.zone === "comment" && line.file.kind === "script"))
      return undefined;
    if (
      line.file.kind === "prose" &&
      line.zone !== "comment" &&
      (isTaught(line) || (line.isProse && isForbidden(line, at)))
    )
      return undefined;
    if (line.file.kind !== "prose" && (isRegex(line) || isMessage(line, at))) return undefined;
    const own = [...targetsOf(text.slice(at)), ...targetsOf(text), ...heldTargets(line)];
    const target = own[0] ?? targetsOf(line.around(2, 3))[0];
    const isCode = FETCHED_CODE.test(text);
    const severity = judge(line, target, isCode);
    return { message: messageOf(target), severity, intent: isShady(target) ? severity : null };
  },
};

/** A host that no publisher would use. */
function isShady(target: Target | undefined): boolean {
  if (target === undefined || isPrivateHost(target.host)) return false;
  const { host, isAddress } = target;
  return isAddress || isOminousHost(host) || isPasteHost(host) || host.endsWith(".onion");
}

/** Looked at in two steps: one pattern for both would try every pair of places. */
function savedAndStarted(text: string): number | undefined {
  let count = 0;
  for (const { 0: saved, index } of text.matchAll(SAVED)) {
    if (STARTED.test(text.slice(index + saved.length, index + saved.length + 400))) return index;
    if (++count === MAX_DOWNLOADS) break;
  }
  return undefined;
}

/** Addresses that variables of the command hold. */
function heldTargets(line: ScanLine): Target[] {
  if (!line.isCode) return [];
  const names = [...line.raw.matchAll(/[$]\{?(\w{1,40})/g)].slice(0, MAX_DOWNLOADS);
  return names.flatMap(([, name = ""]) =>
    targetsOf(assignedAddress(line.file.lines, line.index, name).toLowerCase()),
  );
}

/** A download into a file that later lines make executable and start. */
function acrossLines(line: ScanLine): number | undefined {
  if (line.file.kind === "prose" && line.zone !== "fence") return undefined;
  const saved =
    /\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n]{0,300}(?:\s-[a-z]{0,8}o|\s--output(?:-document)?|\s-outfile|\s>)[\s=]*["']?([\w$~{}./\\:-]{2,120})/.exec(
      line.text,
    );
  const fetched =
    /\b(\w{1,40})\s*=\s*(?:await\s+)?(?:requests\.get|urllib\.request\.urlopen|urlopen|httpx\.get|fetch|\(?await\s+fetch|axios\.get)\s*\(/.exec(
      line.text,
    );
  const path = saved?.[1] ?? fetched?.[1] ?? "";
  const last = path.split(/[/\\]/).at(-1) ?? "";
  if (/\.(?:md|txt|json|ya?ml|csv|html|png|jpg|pdf)["']?$/.test(path)) return undefined;
  const name = last.length < 4 || /^[$]/.test(path) ? path : last;
  if (name.length < 2 || path.startsWith("/dev/")) return undefined;
  if (saved !== null) return isStartedAfter(line.file, line.index, name) ? saved.index : undefined;
  const run = new RegExp(
    `(?<![.\\w])(?:exec|eval|new function|compile)\\s*\\(\\s*(?:await\\s+)?${name}\\b|(?:pickle|marshal|dill)\\.loads?\\(\\s*${name}\\b`,
  );
  return run.test(line.around(0, 6).slice(line.text.length)) ? fetched?.index : undefined;
}

function judge(line: ScanLine, target: Target | undefined, isFetchedCode: boolean): ScanSeverity {
  const aboutAttacks = line.quotesAttacks;
  const { claim } = line.file.skill.profile;
  const worst = aboutAttacks && line.zone !== "code" && !isSetup(line) ? "medium" : "high";
  if (target === undefined) return isFetchedCode ? worst : "medium";
  const { host, url, isAddress, isSecure } = target;
  if (isPrivateHost(host) && !isFetchedCode) return "medium";
  if (isOminousHost(host)) return worst === "high" ? "critical" : worst;
  if (isAddress || isPasteHost(host) || host.endsWith(".onion") || isFetchedCode) return worst;
  if (/\b(?:gist\.githubusercontent|gist\.github)\b/.test(host)) return worst;
  if (isInstallerHost(host) && isSecure)
    return /\/(?:homebrew|nvm-sh|ohmyzsh|pyenv|rbenv|junegunn|helm|k3d-io|asdf-vm)\//.test(url)
      ? "low"
      : /githubusercontent|github\.com|amazonaws|googleapis/.test(host)
        ? "medium"
        : "low";
  if (!isSecure && !/[$<{]/.test(host)) return worst;
  const isOwn = isOwnHost(host, claim);
  const isInstall =
    /\/(?:install|setup|get|bootstrap|cli)[\w.-]{0,24}(?:["'\s]|$)|^https:\/\/(?:get|install|sh)\.[\w.-]+\/?["']?$/.test(
      url,
    );
  const quiet = /\s>\s*\/dev\/null|2>&1|nohup|\s&\s*$/.test(line.text);
  if (isOwn && isInstall && !quiet) return "medium";
  if (aboutAttacks && line.zone !== "code") return "medium";
  return isInstall || !quiet ? "medium" : worst;
}

function messageOf(target: Target | undefined): string {
  return `It runs what ${target === undefined ? "a download" : target.host} answers, unread`;
}

function isRegex(line: ScanLine): boolean {
  if (isExample(line)) return true;
  return (
    isPattern(line) &&
    !/\bcurl\b[^\n]{0,120}https?:\/\/|requests\.get\(|urlopen\(|fetch\(/.test(line.text)
  );
}
