import { isExample, isPattern, isTaught } from "../context/teaching-context.ts";
import {
  isCaptureHost,
  isOminousHost,
  isOwnHost,
  isPrivateHost,
  targetsOf,
} from "../facts/hosts.ts";
import { type Flow, javascriptFlows } from "../flow-javascript.ts";
import { pythonFlows } from "../flow-python.ts";
import type { ScanFile, ScanLine } from "../context/scan-line.ts";
import type { PlacedSuspicion, ScanCheck, Suspicion } from "../scan-check.ts";

const SOURCES =
  /environ|getenv|process\.env|open\(|readfile|read_text|b64decode|base64|fromhex|atob|argv|input\(|request\.|req\.|a85decode|decompress/i;
const SINKS =
  /requests\.|httpx|urlopen|fetch\(|axios|\.post\(|sendall|sendmail|exec|eval|compile\(|os\.system|popen|shell\s*=|marshal|pickle|new function|https?\.request/i;

export const dataFlow: ScanCheck = {
  id: "data-flow",
  severity: "high",
  category: "exfiltration",
  summary:
    "A value flows from a secret, a file or the network into a request or into code that runs.",
  explanation:
    "The script was parsed and its assignments followed: the environment or a key of another service ends in the body of a request, or what was downloaded or decoded is run. A key in the header of a request to its own service is no finding.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const file of skill.files) {
      if (!SOURCES.test(file.text) || !SINKS.test(file.text)) continue;
      if (file.kind === "script") yield* suspicious(file, 0, flowsOf(file.language, file.text));
      else if (file.kind === "prose") {
        for (const { start, language, text } of fences(file)) {
          if (SOURCES.test(text) && SINKS.test(text))
            yield* suspicious(file, start, flowsOf(language, text));
        }
      }
    }
  },
};

function flowsOf(language: string, text: string): readonly Flow[] {
  if (language === "python") return pythonFlows(text);
  return language === "javascript" ? javascriptFlows(text) : [];
}

function* suspicious(
  file: ScanFile,
  offset: number,
  flows: readonly Flow[],
): Iterable<PlacedSuspicion> {
  for (const flow of flows) {
    const line = file.line(Math.min(offset + flow.line, file.lineCount - 1));
    if (isExample(line) || isPattern(line) || (file.kind === "prose" && isTaught(line))) continue;
    const suspicion = judge(flow, line);
    if (suspicion !== undefined) yield { line, ...suspicion };
  }
}

function judge({ from, to, what }: Flow, line: ScanLine): Suspicion | undefined {
  const aboutAttacks = line.quotesAttacks;
  const { claim } = line.file.skill.profile;
  const origin = what.slice(0, 60);
  if (to === "network") {
    if (from === "input" || from === "decoded" || from === "network") return undefined;
    const hosts = targetsOf(line.file.text.slice(0, 200_000).toLowerCase()).map(({ host }) => host);
    const near = targetsOf(line.around(4, 4)).map(({ host }) => host);
    const others = (near.length > 0 ? near : hosts).filter((host) => !isPrivateHost(host));
    const bad = others.some((host) => isOminousHost(host) || isCaptureHost(host));
    if (others.length > 0 && !bad && others.every((host) => isAtHome(host, what, claim)))
      return undefined;
    if (near.length > 0 && others.length === 0) return undefined;
    const message = `${origin} goes out in a request`;
    if (from === "environment")
      return grade(message, aboutAttacks ? "medium" : "high", aboutAttacks);
    if (from === "secret") {
      const isHidden = /b(?:64|32|85)decode\(|atob\(|fromhex|base64/.test(line.around(8, 1));
      if (bad) return grade(message, "high", aboutAttacks);
      if (isHidden && near.length === 0) return { message, severity: "medium", intent: null };
      return near.length > 0 ? { message, severity: "medium", intent: null } : undefined;
    }
    return bad ? grade(message, "high", aboutAttacks) : undefined;
  }
  const message = to === "code" ? `${origin} is run as code` : `${origin} is run in a shell`;
  if (from === "network" || from === "decoded")
    return { message, severity: aboutAttacks ? "medium" : "high", intent: null };
  return from === "input" ? { message, severity: "medium", intent: null } : undefined;
}

function grade(message: string, severity: "medium" | "high", aboutAttacks: boolean): Suspicion {
  return aboutAttacks ? { message, severity: "medium", intent: null } : { message, severity };
}

/** The key is named after the service, or the skill is. */
function isAtHome(host: string, what: string, claim: string): boolean {
  if (isOwnHost(host, claim)) return true;
  const words = what
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2);
  return words.some(
    (word) =>
      host.includes(word) && !/^(?:api|key|token|secret|env|process|com|app|dev|url)$/.test(word),
  );
}

interface Fence {
  readonly start: number;
  readonly language: string;
  readonly text: string;
}

function* fences(file: ScanFile): Iterable<Fence> {
  for (let index = 0; index < file.lineCount; index++) {
    const { zone, blockStart, language } = file.zone(index);
    if (zone !== "fence") continue;
    const lines: string[] = [];
    let end = index;
    while (
      end < file.lineCount &&
      file.zone(end).zone === "fence" &&
      file.zone(end).blockStart === blockStart
    ) {
      lines.push(file.rawLine(end++));
    }
    yield { start: index, language, text: lines.join("\n") };
    index = end;
  }
}
