import type * as Acorn from "acorn";
import type { Node } from "acorn";
import { createRequire } from "node:module";

/** Where a value that was read goes out, or is run. Lines count from 0. */
export interface Flow {
  readonly from: "secret" | "environment" | "file" | "input" | "network" | "decoded";
  readonly to: "network" | "code" | "shell";
  readonly line: number;
  readonly source: number;
  /** As written: `process.env.NPM_TOKEN`. */
  readonly what: string;
}

type Kind = Flow["from"];
type AnyNode = Node & Record<string, unknown>;
interface Taint {
  readonly kind: Kind;
  readonly what: string;
  readonly line: number;
}

const MAX_CHARACTERS = 300_000;
const SECRET_NAME =
  /(?:secret|token|passw|credential|private_?key|api_?key|access_?key|_key$|session)/i;
const SECRET_PATH =
  /\.ssh\b|id_rsa|id_ed25519|\.aws\b|\.env\b|\.npmrc|\.netrc|\.git-credentials|wallet|keychain|login data|cookies|\.kube|credentials/i;
const NETWORK =
  /(?:^|\.)(?:fetch|axios|got|ky|needle|sendBeacon|post|put|patch|request|upload|send|write|end)$/;
const CERTAIN_NETWORK =
  /^(?:fetch|axios|got|ky|needle|navigator\.sendBeacon)$|^(?:axios|got|ky|needle|https?|superagent|request|client|session|api)\./;
const RUNS_CODE =
  /^(?:eval|Function|globalThis\.eval|window\.eval|vm\.\w+|setTimeout|new Function)$/;
const RUNS_SHELL =
  /(?:^|\.)(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|execa|execaSync)$/;
const READS = /(?:^|\.)(?:readFileSync|readFile|createReadStream)$/;

/**
 * What flows where in a script: from secrets, files and input into requests, `eval` and shells. Follows
 * assignments and calls within the file, without regard to order. Empty for what cannot be parsed, such as
 * TypeScript with types.
 */
export function javascriptFlows(text: string): Flow[] {
  if (text.length > MAX_CHARACTERS) return [];
  const root = parsed(text);
  if (root === undefined) return [];
  const tainted = new Map<string, Taint>();
  const flows: Flow[] = [];
  // Twice: a function may be written below its use.
  for (const isLast of [false, true]) {
    walk(root, (node) => {
      assign(node);
      if (isLast && (node.type === "CallExpression" || node.type === "NewExpression")) use(node);
    });
  }
  return flows;

  function assign(node: AnyNode): void {
    if (node.type === "VariableDeclarator") bind(node["id"] as AnyNode, node["init"] as AnyNode);
    if (node.type === "AssignmentExpression")
      bind(node["left"] as AnyNode, node["right"] as AnyNode);
  }

  function bind(target: AnyNode, value: AnyNode | null): void {
    const taint = value === null ? undefined : taintOf(value);
    if (taint === undefined) return;
    if (target.type === "Identifier") tainted.set(target["name"] as string, taint);
    else if (target.type === "MemberExpression") {
      const name = nameOf(target).split(".")[0] ?? "";
      if (name !== "" && name !== "module" && name !== "exports") tainted.set(name, taint);
    } else
      walk(target, (part) => {
        if (part.type === "Identifier") tainted.set(part["name"] as string, taint);
      });
  }

  function use(node: AnyNode): void {
    const callee = nameOf(node["callee"] as AnyNode);
    const name = node.type === "NewExpression" ? `new ${callee}` : callee;
    const to =
      RUNS_CODE.test(name) || name === "new Function"
        ? "code"
        : RUNS_SHELL.test(name) && !/regex|pattern|^re\./i.test(callee)
          ? "shell"
          : NETWORK.test(name) && CERTAIN_NETWORK.test(name)
            ? "network"
            : undefined;
    if (to === undefined) return;
    const all = (node["arguments"] as AnyNode[]).map((argument) =>
      to === "network" ? withoutHeaders(argument) : argument,
    );
    for (const argument of all) {
      for (const taint of Array.isArray(argument) ? argument.map(taintOf) : [taintOf(argument)]) {
        if (taint === undefined) continue;
        if (to === "network" && taint.kind === "network") continue;
        flows.push({
          from: taint.kind,
          to,
          line: lineOf(node),
          source: taint.line,
          what: taint.what,
        });
        return;
      }
    }
  }

  function taintOf(node: AnyNode): Taint | undefined {
    let found: Taint | undefined;
    walk(node, (part, parent) => {
      if (found !== undefined && found.kind !== "file") return;
      const next = sourceOf(part, parent);
      if (next !== undefined) found = next;
    });
    return found;
  }

  function sourceOf(part: AnyNode, parent: AnyNode | undefined): Taint | undefined {
    if (part.type === "Identifier") {
      const isKey =
        parent?.type === "MemberExpression" &&
        parent["property"] === part &&
        parent["computed"] !== true;
      const isName =
        parent?.type === "Property" && parent["key"] === part && parent["value"] !== part;
      return isKey || isName ? undefined : tainted.get(part["name"] as string);
    }
    const line = lineOf(part);
    if (part.type === "MemberExpression") {
      const name = nameOf(part);
      if (name === "process.env" && parent?.type !== "MemberExpression")
        return { kind: "environment", what: "process.env", line };
      if (/^process\.env\.\w/.test(name) && SECRET_NAME.test(name))
        return { kind: "secret", what: name, line };
      if (/^(?:req|request|ctx)\.(?:body|query|params)/.test(name) || name === "process.argv")
        return { kind: "input", what: name, line };
    }
    if (part.type === "CallExpression") {
      const name = nameOf(part["callee"] as AnyNode);
      const source = text.slice(part.start, Math.min(part.end, part.start + 200));
      if (READS.test(name))
        return {
          kind: SECRET_PATH.test(source) ? "secret" : "file",
          what: source.split("\n")[0] ?? "",
          line,
        };
      if (name === "fetch" || /^axios\.get$/.test(name))
        return { kind: "network", what: name, line };
      if (/^atob$|^Buffer\.from$/.test(name) && /atob|base64|hex/.test(source))
        return { kind: "decoded", what: name, line };
    }
    return undefined;
  }

  function lineOf(node: AnyNode): number {
    return (node["loc"] as { start: { line: number } }).start.line - 1;
  }
}

/** A key in a header is how a request says who asks. */
function withoutHeaders(node: AnyNode): AnyNode | AnyNode[] {
  if (node.type !== "ObjectExpression") return node;
  const properties = node["properties"] as AnyNode[];
  return properties.filter((property) => {
    const key = property["key"] as AnyNode | undefined;
    const name = (key?.["name"] ?? key?.["value"] ?? "") as string;
    return !/^(?:headers|auth|agent|authorization)$/i.test(name);
  });
}

let acorn: typeof Acorn | undefined;

/** Loads the parser on first use: most skills have no script with a flow to follow. */
function parsed(text: string): AnyNode | undefined {
  acorn ??= createRequire(import.meta.url)("acorn") as typeof Acorn;
  for (const sourceType of ["module", "script"] as const) {
    try {
      return acorn.parse(text, {
        ecmaVersion: "latest",
        sourceType,
        locations: true,
        allowHashBang: true,
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
      }) as unknown as AnyNode;
    } catch {
      // It is of the other kind, or no JavaScript.
    }
  }
  return undefined;
}

function nameOf(node: AnyNode): string {
  if (node.type === "Identifier") return node["name"] as string;
  if (node.type === "ChainExpression") return nameOf(node["expression"] as AnyNode);
  if (node.type === "AwaitExpression") return nameOf(node["argument"] as AnyNode);
  if (node.type !== "MemberExpression") {
    return node.type === "CallExpression" ? nameOf(node["callee"] as AnyNode) : "";
  }
  const property = node["property"] as AnyNode;
  const key = node["computed"] === true ? (property["value"] ?? "") : property["name"];
  return `${nameOf(node["object"] as AnyNode)}.${String(key)}`;
}

const MAX_DEPTH = 200;

function walk(
  node: AnyNode,
  visit: (node: AnyNode, parent?: AnyNode) => void,
  parent?: AnyNode,
  depth = 0,
): void {
  if (depth > MAX_DEPTH) return;
  visit(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof (child as AnyNode | null)?.type === "string")
        walk(child as AnyNode, visit, node, depth + 1);
    }
  }
}
