import {
  canceledFailure,
  executionFailure,
  type ExecutionFailure,
  type ExecutionReceipt,
  timedOutFailure,
} from "./executor.ts";
import type { NetworkUse } from "./network/domain-rule.ts";
import type { ChildEnd } from "./supervise-child.ts";

/** Modules whose package has another name. */
const PACKAGES: Readonly<Record<string, string>> = {
  bs4: "beautifulsoup4",
  cv2: "opencv-python",
  dateutil: "python-dateutil",
  docx: "python-docx",
  dotenv: "python-dotenv",
  fitz: "PyMuPDF",
  PIL: "pillow",
  pptx: "python-pptx",
  sklearn: "scikit-learn",
  yaml: "PyYAML",
};

const PYTHON =
  /^(?:ModuleNotFoundError|ImportError): No module named '?([A-Za-z0-9_]+)([A-Za-z0-9_.]*)/m;
const NODE = /(?:Cannot find package|Cannot find module) '([^'./][^']{0,200})'/;

/** Names the module that a script could not load, and what to do about it. */
export function missingModule(
  interpreter: string,
  stderr: string,
  usesEnvironment: boolean,
  skillFiles: ReadonlySet<string> = new Set(),
): ExecutionFailure | undefined {
  if (interpreter.startsWith("python")) {
    const [, name, rest = ""] = PYTHON.exec(stderr) ?? [];
    if (name === undefined) return undefined;
    return isOwn(name, skillFiles) ? ownModule(name + rest) : pythonModule(name, usesEnvironment);
  }
  const name = interpreter === "node" ? NODE.exec(stderr)?.[1] : undefined;
  if (name === undefined) return undefined;
  return executionFailure(
    "module-missing",
    `the script needs the package ${JSON.stringify(name)}, which is not there`,
    "Scripts see only what lies in the skill: put the package into the skill's node_modules.",
  );
}

/** Whether a folder or module at the root of the skill has this name. */
function isOwn(name: string, files: ReadonlySet<string>): boolean {
  return [...files].some((path) => path.startsWith(`${name}/`) || path === `${name}.py`);
}

function ownModule(name: string): ExecutionFailure {
  return executionFailure(
    "module-missing",
    `the script imports ${JSON.stringify(name)} from its skill's own package, and that cannot be found`,
    "There is nothing to install: fix the import, or add the missing file to the skill. Imports start at the script's folder or the skill's root.",
  );
}

function pythonModule(name: string, usesEnvironment: boolean): ExecutionFailure {
  const packageName = Object.hasOwn(PACKAGES, name) ? PACKAGES[name] : name;
  const install = `pip install ${packageName}`;
  return executionFailure(
    "module-missing",
    `the script needs the Python module ${JSON.stringify(name)}, which is not installed`,
    usesEnvironment
      ? `Run "${install}" in the virtual environment that is configured.`
      : `Make a virtual environment (python3 -m venv <folder>), run "<folder>/bin/${install}", and name it as execution.virtualEnvironment.`,
  );
}

export interface RunFacts {
  readonly sandbox: ExecutionReceipt["sandbox"];
  readonly digest: string;
  readonly command: readonly string[];
  readonly unenforced: readonly string[];
  readonly durationMs: number;
  readonly script: string;
  readonly interpreter: string;
  readonly timeoutMs: number;
  readonly usesEnvironment: boolean;
  /** Paths of the skill's files. */
  readonly skillFiles?: ReadonlySet<string>;
  readonly network?: readonly NetworkUse[];
  /** What the executor itself found wrong. */
  readonly failure?: ExecutionFailure;
}

/** The receipt of a script that was started. */
export function finishReceipt(end: ChildEnd, facts: RunFacts): ExecutionReceipt {
  const { sandbox, digest, command, unenforced, durationMs } = facts;
  const failure = facts.failure ?? failureOf(end, facts);
  return {
    ok: failure === undefined,
    exitCode: end.exitCode,
    signal: end.signal,
    timedOut: end.timedOut,
    canceled: end.canceled,
    truncated: end.stdout.truncated || end.stderr.truncated,
    stdout: end.stdout.text,
    stderr: end.stderr.text,
    durationMs,
    sandbox,
    digest,
    command,
    unenforced,
    ...(facts.network === undefined ? {} : { network: facts.network }),
    ...(failure === undefined ? {} : { failure }),
  };
}

function failureOf(end: ChildEnd, facts: RunFacts): ExecutionFailure | undefined {
  const { script, timeoutMs } = facts;
  if (end.startError !== undefined) {
    return executionFailure("run-failed", `${script} could not be started: ${end.startError}`);
  }
  if (end.canceled) return canceledFailure(script);
  if (end.timedOut) return timedOutFailure(script, timeoutMs);
  if (end.exitCode === 0) return undefined;
  const how = end.signal === null ? `with exit code ${end.exitCode}` : `by ${end.signal}`;
  return (
    missingModule(facts.interpreter, end.stderr.text, facts.usesEnvironment, facts.skillFiles) ??
    executionFailure("script-failed", `${script} ended ${how}`)
  );
}
