import type { Flow } from "./flow-javascript.ts";

interface Taint {
  readonly kind: Flow["from"];
  readonly what: string;
  readonly line: number;
}

/** A statement on one line, however many it was written on, without comments. */
interface Statement {
  readonly text: string;
  readonly line: number;
}

const MAX_CHARACTERS = 300_000;
const SECRET_NAME =
  /secret|token|passw|credential|private_?key|api_?key|access_?key|_key\b|session/i;
const SECRET_PATH =
  /\.ssh\b|id_rsa|id_ed25519|\.aws\b|\.env\b|\.npmrc|\.netrc|\.pypirc|\.git-credentials|wallet|keychain|login data|cookies|\.kube|credentials/i;
const ENVIRON = /\bos\.(?:environ(?:\.get)?|getenv)\s*[[(]\s*["']([\w]+)["']/g;
const WHOLE =
  /\b(?:dict|str|json\.dumps|list)\(\s*(?:dict\()?os\.environ\b(?!\.get|\[)|\bos\.environ\.(?:copy|items)\(\)|[:=(,]\s*os\.environ\s*[,)}]|\{\s*\*\*os\.environ/;
const READS = /\b(?:open|Path)\([^)]*\)|\.read_(?:text|bytes)\(\)/;
const INPUT = /\bsys\.argv\b|\binput\(|\brequest\.(?:args|form|json|data|values|get_json)/;
const FETCHED = /\b(?:requests|httpx|session|client)\.get\(|\burlopen\(/;
const DECODED =
  /\bb(?:64|32|85|16)decode\(|\ba85decode\(|\bbytes\.fromhex\(|\bzlib\.decompress\(|\bcodecs\.decode\(/;
const NETWORK =
  /\b(?:requests|httpx|session|client|aiohttp|http|s)\.(?:post|put|patch|request)\s*\(|\burlopen\s*\(|\burllib\.request\.Request\s*\(|\bsendall\s*\(|\bsendto\s*\(|\bsendmail\s*\(|\.send_message\s*\(|\bstorbinary\s*\(|\b(?:requests|httpx)\.get\s*\(/;
const RUNS_CODE =
  /(?<![.\w])(?:exec|eval|compile)\s*\(|\bmarshal\.loads\s*\(|\bpickle\.loads?\s*\(/;
const RUNS_SHELL = /\bos\.(?:system|popen)\s*\(|\bsubprocess\.\w+\s*\(.*shell\s*=\s*True/;
const CHILD = /\bsubprocess\.|\bPopen\(|\bcreate_subprocess_/;
const HEADERS =
  /\b(?:headers|auth|cookies|timeout|verify)\s*=\s*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|[\w.]+(?:\([^()]*\))?)/g;

/** As `javascriptFlows`, for Python: by tokens, statement by statement. */
export function pythonFlows(text: string): Flow[] {
  if (text.length > MAX_CHARACTERS) return [];
  const tainted = new Map<string, Taint>();
  const flows: Flow[] = [];
  for (const { text: statement, line } of statements(text)) {
    const sink = RUNS_CODE.test(statement)
      ? "code"
      : RUNS_SHELL.test(statement)
        ? "shell"
        : NETWORK.test(statement)
          ? "network"
          : undefined;
    if (sink !== undefined) {
      const carried = sink === "network" ? statement.replace(HEADERS, "") : statement;
      const call = carried.slice(
        Math.max(
          0,
          carried.search(sink === "network" ? NETWORK : sink === "code" ? RUNS_CODE : RUNS_SHELL),
        ),
      );
      const taint = taintOf(call, line, true);
      if (taint !== undefined && !(sink === "network" && taint.kind === "network")) {
        flows.push({ from: taint.kind, to: sink, line, source: taint.line, what: taint.what });
      }
    }
    const bound =
      /^\s*(?:async\s+)?(?:with\s+(.+?)\s+as\s+(\w+)\s*:|for\s+([\w, ]+)\s+in\s+(.+):|([\w, .[\]"']+?)\s*(?::[^=]+)?[+|]?=(?!=)\s*(.+)$)/.exec(
        statement,
      );
    if (bound === null) continue;
    const [, opened, handle, loop, over, names, value] = bound;
    const given = opened ?? over ?? value ?? "";
    // A child gets the environment; what it answers is something else.
    const taint = CHILD.test(given) ? undefined : taintOf(given, line, false);
    for (const name of (handle ?? loop ?? names ?? "").matchAll(/(?<![.\w"'])[A-Za-z_]\w*/g)) {
      if (taint !== undefined) tainted.set(name[0], taint);
      else if (names !== undefined && !names.includes("[") && !statement.includes("+="))
        tainted.delete(name[0]);
    }
  }
  return flows;

  function taintOf(text: string, line: number, isUse: boolean): Taint | undefined {
    if (WHOLE.test(text)) return { kind: "environment", what: "os.environ", line };
    for (const [, name = ""] of text.matchAll(ENVIRON)) {
      if (SECRET_NAME.test(name)) return { kind: "secret", what: name, line };
    }
    const bare = withoutText(text);
    for (const [name] of bare.matchAll(/(?<![.\w])[A-Za-z_]\w*(?!\s*=[^=])/g)) {
      const taint = tainted.get(name);
      if (taint !== undefined) return taint;
    }
    if (DECODED.test(text)) return { kind: "decoded", what: "a decoded text", line };
    const read = READS.exec(text);
    if (read !== null && !/["'][wax]b?["']/.test(read[0])) {
      const isSecret = SECRET_PATH.test(read[0]);
      return { kind: isSecret ? "secret" : "file", what: read[0].slice(0, 60), line };
    }
    const input = INPUT.exec(text);
    if (input !== null) return { kind: "input", what: input[0], line };
    return !isUse && FETCHED.test(text) ? { kind: "network", what: "an answer", line } : undefined;
  }
}

/** Only what is put into texts stays of them: `f"{name}"`. */
function withoutText(text: string): string {
  return text.replace(
    /([fF]?)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/g,
    (_, isFormat: string, body: string) =>
      isFormat === ""
        ? '""'
        : [...body.matchAll(/\{([^{}]+)\}/g)].map(([, part]) => ` ${part} `).join(","),
  );
}

/** Joins lines within brackets and behind backslashes; leaves comments and documentation out. */
function statements(source: string): Statement[] {
  const found: Statement[] = [];
  let text = "";
  let start = 0;
  let line = 0;
  let depth = 0;
  const end = () => {
    if (text.trim() !== "") found.push({ text, line: start });
    text = "";
    start = line;
  };
  for (let index = 0; index < source.length; index++) {
    const character = source.charAt(index);
    if (character === "#") {
      while (index + 1 < source.length && source.charAt(index + 1) !== "\n") index++;
    } else if (character === '"' || character === "'") {
      const triple = character.repeat(3);
      const isTriple = source.startsWith(triple, index);
      const close = isTriple ? triple : character;
      let stop = index + close.length;
      while (stop < source.length && !source.startsWith(close, stop)) {
        if (source.charAt(stop) === "\\") stop++;
        else if (!isTriple && source.charAt(stop) === "\n") break;
        stop++;
      }
      const body = source.slice(index, stop + close.length);
      text += isTriple
        ? `"${body.slice(3, 203).replace(/["\n\\]/g, " ")}"`
        : body.replaceAll("\n", " ");
      for (const other of body) if (other === "\n") line++;
      index = stop + close.length - 1;
    } else if (character === "\n") {
      line++;
      if (depth > 0 || text.endsWith("\\")) text = `${text.replace(/\\$/, "")} `;
      else end();
    } else if (character === ";" && depth === 0) end();
    else {
      if ("([{".includes(character)) depth++;
      else if (")]}".includes(character)) depth = Math.max(0, depth - 1);
      text += character;
    }
    if (text.length > 20_000) end();
  }
  end();
  return found;
}
