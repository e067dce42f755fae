import { isOminousHost, isPrivateHost } from "../../facts/hosts.ts";
import { secretOf } from "../../facts/secret-places.ts";
import type {
  ScanLine,
  ScanFile,
  ScannedSkill,
  SecretRead,
  NetworkSend,
} from "../../context/scan-line.ts";
import type { PlacedSuspicion, ScanCheck } from "../../scan-check.ts";
import { isOwnService } from "./own-service.ts";
import { foreignKeys } from "./vendor-keys.ts";
import type { ScanSeverity } from "../../scan-finding.ts";
import { foldText } from "../../text/fold-character.ts";

const NEAR_LINES = 30;
/** In a longer script two places need not have to do with each other. */
const SHORT_LINES = 400;

export const secretExfiltration: ScanCheck = {
  id: "secret-exfiltration",
  severity: "critical",
  category: "exfiltration",
  summary: "Secrets are read and something is sent over the network, in the same place or script.",
  explanation:
    "Keys, wallets, browser profiles, tokens of other tools or the whole environment are read where data is also sent out. An honest skill reads the one key of the service it calls, by name, and sends it to that service only; that is no finding.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const secret of skill.secrets) {
      const found = strongest(skill, secret);
      if (found !== undefined) yield found;
    }
    for (const use of skill.sends) {
      const count = foreignKeys(use);
      if (count === 0) continue;
      const message = `It sends keys of ${count === 1 ? "another service" : `${count} services`} to ${use.hosts[0]}`;
      const severity = count === 1 ? "high" : "critical";
      yield { line: use.line, severity, intent: count === 1 ? "medium" : severity, message };
    }
  },
};

function strongest(skill: ScannedSkill, secret: SecretRead): PlacedSuspicion | undefined {
  const { line, what } = secret;
  let best: { use: NetworkSend; severity: ScanSeverity } | undefined;
  for (const use of skill.sends) {
    const severity = judge(secret, use);
    if (severity === "critical") return place(use, severity);
    if (severity !== undefined) best ??= { use, severity };
  }
  return best === undefined ? undefined : place(best.use, best.severity);

  function place(use: NetworkSend, severity: ScanSeverity): PlacedSuspicion {
    const host = use.hosts.find((host) => !secret.home.test(host)) ?? "the network";
    const where = use.line.file === line.file ? `line ${use.line.index + 1}` : use.line.file.path;
    const isMeant = severity === "critical" && !line.quotesAttacks;
    const intent = isMeant ? severity : ("medium" as const);
    return { line, severity, intent, message: `It reads ${what} and sends to ${host} (${where})` };
  }
}

function judge(secret: SecretRead, use: NetworkSend): ScanSeverity | undefined {
  const { line, strength, what } = secret;
  const sameLine = use.line.file === line.file && use.line.index === line.index;
  if (isAtHome(secret, use) || isOwnService(secret, use)) return undefined;
  if (sameLine)
    return isCarried(secret, use) ? "critical" : strength === "weak" ? undefined : "high";
  if (strength === "weak" || /\b(?:scp|rsync)\b/.test(use.line.text)) return undefined;
  if (isPersonal(secret) && !use.isCapture && !use.hosts.some(isOminousHost)) return undefined;
  if (use.line.file === line.file) {
    if (line.zone !== "code" && !isSameBlock(secret, use)) return undefined;
    const near = Math.abs(use.line.index - line.index) <= NEAR_LINES;
    if (line.zone === "fence") return near && !line.quotesAttacks ? "high" : "medium";
    if (near)
      return knownForeign(secret, use) ? "critical" : isPrivate(secret) ? "high" : undefined;
    return line.file.lineCount <= SHORT_LINES && (isPrivate(secret) || knownForeign(secret, use))
      ? "high"
      : undefined;
  }
  const bothRun = line.zone === "code" && use.line.zone === "code";
  const certain = what !== "tokens of other tools" && knownForeign(secret, use);
  return bothRun &&
    certain &&
    (use.isCapture || areJoined(line.file, use.line.file) || areStaged(secret, use))
    ? "high"
    : undefined;
}

/** `cat key | curl`, `curl -d @key`, `post(data=open(key))`: it goes out in this very statement. */
function isCarried(secret: SecretRead, use: NetworkSend): boolean {
  if (secret.what === ".env files")
    return /@[~$\w{}/"']{0,40}\.env|[$]\((?:cat|base64|<)[^)]{0,60}\.env|cat\s[^|\n]{0,60}\.env[^|\n]{0,20}\||<\s*["']?[\w~/$.]{0,40}\.env|open\([^)]{0,60}\.env/.test(
      use.line.text,
    );
  return true;
}

function isAtHome({ home, what, line }: SecretRead, { hosts }: NetworkSend): boolean {
  if (hosts.length > 0 && hosts.every((host) => home.test(host))) return true;
  const local = hosts.length > 0 && hosts.every((host) => isPrivateHost(host));
  return (
    (local && what !== "SSH private keys" && what !== "AWS credentials") ||
    (what === "SSH private keys" &&
      /\b(?:scp|rsync|ssh)\b[^\n]{0,60}\s-i\s|identityfile|ssh-i\b|paramiko|key_filename|-i\s+["']?[~$]/.test(
        line.text,
      ))
  );
}

const isPersonal = ({ what }: SecretRead): boolean =>
  what === "conversations or memory of the agent" ||
  what === "shell history" ||
  what === "instance credentials";

/** Nothing but their owner uses them. */
const isPrivate = ({ what }: SecretRead): boolean => !/tool|agent|cloud|Kubernetes/.test(what);

function knownForeign(secret: SecretRead, use: NetworkSend): boolean {
  return (
    use.hosts.some((host) => !secret.home.test(host)) ||
    use.isCapture ||
    secret.what === "the whole environment"
  );
}

function isSameBlock(secret: SecretRead, use: NetworkSend): boolean {
  return (
    secret.line.zone === "fence" &&
    use.line.zone === "fence" &&
    secret.line.place.blockStart === use.line.place.blockStart
  );
}

/** One names the other, or a third file names both. */
function areJoined(one: ScanFile, other: ScanFile): boolean {
  if (names(one, other) || names(other, one)) return true;
  return one.skill.files.some(
    (file) => file.kind === "script" && names(file, one) && names(file, other),
  );
}

const STAGED =
  /(?:\/(?:private\/)?(?:var\/)?tmp|\/dev\/shm|[$]\{?tmpdir\}?|~\/\.[\w-]{1,30}|[$]\{?home\}?\/\.[\w-]{1,30}|%temp%)\/[\w./-]{1,60}/g;

/** What one script reads it puts where the other one takes from. */
function areStaged(secret: SecretRead, { line }: NetworkSend): boolean {
  if (
    !/\b(?:cp|mv|tar|zip|rsync|cat|ln|install|copy\w*|move|make_archive|write\w*|open)\b|>/.test(
      secret.line.text,
    )
  )
    return false;
  const put = staged(secret.line);
  return [...staged(line)].some((place) => put.has(place));
}

const places = new WeakMap<ScanLine, ReadonlySet<string>>();

/** Folders for things on their way; those that hold secrets themselves are none. */
function staged(line: ScanLine): ReadonlySet<string> {
  const before = places.get(line);
  if (before !== undefined) return before;
  const near = foldText(
    line.file.lines
      .slice(Math.max(0, line.index - 20), line.index + 20)
      .map((text) => text.slice(0, 400))
      .join("\n"),
  );
  const found = new Set(
    (near.match(STAGED) ?? [])
      .filter((path) => secretOf(`${path} `) === undefined)
      .map((path) => path.split("/").slice(0, 5).join("/").replace(/\/$/, "")),
  );
  places.set(line, found);
  return found;
}

function names(file: ScanFile, { path }: ScanFile): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return name.length > 2 && file.path !== path && file.text.includes(name);
}
