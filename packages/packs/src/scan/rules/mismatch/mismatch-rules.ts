import { isOwnHost, isPrivateHost, targetsOf } from "../../facts/hosts.ts";
import { isForbidden, isTaught } from "../../context/teaching-context.ts";
import { extensionOf } from "../../context/file-kind.ts";
import type { PlacedSuspicion, ScanCheck } from "../../scan-check.ts";

export const claimMismatch: ScanCheck = {
  id: "claim-mismatch",
  severity: "medium",
  category: "mismatch",
  summary: "The skill says that it stays on this machine, and its scripts send data out.",
  explanation:
    "The description is what people decide by. A skill that says offline, local or read-only and sends something to a host breaks its word, whatever it sends.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    if (!skill.sends.some(({ line }) => line.zone === "code")) return;
    if (!skill.profile.claimsOffline) return;
    for (const { line, hosts } of skill.sends) {
      if (line.zone !== "code") continue;
      const outside = hosts.find((host) => !isPrivateHost(host) && !/[$<{]/.test(host));
      if (outside !== undefined)
        yield { line, message: `It says that it stays on this machine, and sends to ${outside}` };
    }
  },
};

const DATE =
  /datetime\.(?:now|utcnow|today)\(\)[^\n]{0,60}[><]=?\s*(?:datetime|date)?[^\n]{0,30}(?:20\d\d|\w{3,})|date\.today\(\)[^\n]{0,30}[><]=?|date\.now\(\)\s*[><]=?\s*(?:new date|\d{10,}|\w*date)|new date\(\)[^\n]{0,20}[><]=?\s*new date\(["']?20\d\d|[$]\(date\s+\+%(?:s|y%m%d|Y%m%d|j)\)["'\s\]]{0,4}\s*-(?:gt|ge|lt)|time\.time\(\)\s*[><]=?\s*\d{9,}|["']?[$]\(date\s+\+%\w\)["']?\s*(?:=|==|-eq)|get-date\)?\s*-(?:gt|ge)/;
const FIRES =
  /(?<![.\w])(?:exec|eval)\s*\(|os\.system\(|subprocess\.|\brm\s+-rf|shutil\.rmtree|requests\.post|urlopen\([^\n]{0,60}data|execsync\(|child_process|\bcurl\b[^\n]{0,120}(?:\||-d)|base64|rmsync\(|\/dev\/tcp|iex\b/;

export const timeBomb: ScanCheck = {
  id: "time-bomb",
  severity: "high",
  category: "mismatch",
  summary: "Something harmful waits for a date.",
  explanation:
    "Code that behaves until a day has come is written to pass a review before it. A date that decides whether something is run, removed or sent needs a better reason than a comment.",
  words: ["datetime.", "date.today", "date.now", "new date", "date +%", "time.time", "get-date"],
  look: (line) => {
    if (line.zone !== "code" || !DATE.test(line.text) || isTaught(line)) return undefined;
    const block = line.around(0, 7);
    if (
      !FIRES.test(block) ||
      /expire|ttl|cache|timeout|deadline|elapsed|start_time|last_|age|retention|older|since/.test(
        block,
      )
    )
      return undefined;
    return { message: "It does something harmful after a certain date" };
  },
};

const REMOTE_ORDERS =
  /\b(?:fetch|download|retrieve|load|visit|open|read|get|curl|check|pull)\b[^.\n]{0,100}https?:\/\/[^\s)`"']{4,240}[^\n]{0,100}\b(?:follow|execute|obey|apply|perform|carry out|do (?:what|whatever|exactly)|run)\b[^.\n]{0,60}\b(?:instructions?|steps?|commands?|directives?|it says|contents?|whatever|everything)\b|\b(?:follow|execute|obey|perform|carry out)\b[^.\n]{0,60}\b(?:instructions?|steps?|commands?|directives?)\b[^.\n]{0,60}\b(?:at|from|in|hosted|returned by|found at)\b[^.\n]{0,40}https?:\/\//;

export const remoteInstructions: ScanCheck = {
  id: "remote-instructions",
  severity: "medium",
  category: "mismatch",
  summary: "The model is to follow instructions that it fetches from elsewhere.",
  explanation:
    "What was reviewed and locked is then not what the model follows: the page can change at any time. Ship the instructions in the skill. From an address, a paste or an unknown service the finding is high.",
  words: ["https:", "http:"],
  look: (line) => {
    if (!line.isProse && line.zone !== "comment") return undefined;
    const text = line.sentence;
    const match = REMOTE_ORDERS.exec(text);
    if (
      match === null ||
      match.index > line.text.length ||
      isTaught(line) ||
      isForbidden(line, match.index, text)
    )
      return undefined;
    const [target] = targetsOf(text);
    if (target === undefined || isPrivateHost(target.host)) return undefined;
    const aboutAttacks = line.quotesAttacks;
    const { claim } = line.file.skill.profile;
    const known =
      /github|docs|anthropic|openai|microsoft|google|gitlab|vercel|mozilla|readthedocs|python\.org|w3\.org/.test(
        target.host,
      ) || isOwnHost(target.host, claim);
    const forced =
      /\b(?:always|every|each|silently|immediately|without|exactly|any|whatever|all)\b/.test(text);
    const severity = target.isAddress || (!known && forced && !aboutAttacks) ? "high" : "medium";
    return known && !forced
      ? undefined
      : { message: `It follows whatever ${target.host} says`, severity };
  },
};

const COMPILED = new Set([
  "pyc",
  "pyo",
  "so",
  "dylib",
  "dll",
  "exe",
  "class",
  "node",
  "o",
  "bin",
  "scr",
  "com",
  "msi",
  "wasm",
]);

export const compiledCode: ScanCheck = {
  id: "compiled-code",
  severity: "medium",
  category: "mismatch",
  summary: "The skill ships compiled code, which nobody can read.",
  explanation:
    "Byte code and binaries run like any script and pass every review. Ship sources, or name the package that provides the program.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const file of skill.files) {
      if (COMPILED.has(extensionOf(file.path)) && extensionOf(file.path) !== "wasm")
        yield { line: file.line(0), message: `${file.path} is compiled code` };
    }
  },
};
