import type { Failure } from "@skillwright/core";

export type ExecutionFailureCode =
  | "arguments-invalid"
  | "canceled"
  | "digest-mismatch"
  | "environment-missing"
  | "interpreter-missing"
  | "interpreter-unknown"
  | "limits-invalid"
  | "module-missing"
  | "network-invalid"
  | "program-missing"
  | "requirement-unmet"
  | "run-failed"
  | "sandbox-failed"
  | "sandbox-missing"
  | "sandbox-unknown"
  | "sandbox-unusable"
  | "script-failed"
  | "script-invalid"
  | "script-missing"
  | "script-outside"
  | "script-unreadable"
  | "skill-too-large"
  | "skill-unreadable"
  | "timed-out"
  | "working-directory-refused"
  | "writable-refused";

export type ExecutionFailure = Failure<ExecutionFailureCode>;

export function executionFailure(
  code: ExecutionFailureCode,
  message: string,
  hint?: string,
): ExecutionFailure {
  return { ok: false, code, message, ...(hint !== undefined && { hint }) };
}

export function timedOutFailure(script: string, timeoutMs: number): ExecutionFailure {
  const message = `${script} was ended after ${timeoutMs} milliseconds`;
  return executionFailure("timed-out", message, "Give it less to do, or a longer timeout.");
}

export function canceledFailure(script: string): ExecutionFailure {
  return executionFailure("canceled", `${script} was canceled`);
}

/** Modules whose package has another name. */
const PACKAGES: ReadonlyMap<string, string> = new Map([
  ["bs4", "beautifulsoup4"],
  ["cv2", "opencv-python"],
  ["dateutil", "python-dateutil"],
  ["docx", "python-docx"],
  ["dotenv", "python-dotenv"],
  ["fitz", "PyMuPDF"],
  ["PIL", "pillow"],
  ["pptx", "python-pptx"],
  ["sklearn", "scikit-learn"],
  ["yaml", "PyYAML"],
]);

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
  const missing = (message: string, hint: string) =>
    executionFailure("module-missing", `the script ${message}`, hint);
  if (interpreter === "node") {
    const name = NODE.exec(stderr)?.[1];
    if (name === undefined) return undefined;
    return missing(
      `needs the package ${JSON.stringify(name)}, which is not there`,
      "Scripts see only what lies in the skill: put the package into the skill's node_modules.",
    );
  }
  const [, name, rest = ""] = (interpreter.startsWith("python") && PYTHON.exec(stderr)) || [];
  if (name === undefined) return undefined;
  const isOfSkill = [...skillFiles].some(
    (path) => path.startsWith(`${name}/`) || path === `${name}.py`,
  );
  if (isOfSkill) {
    return missing(
      `imports ${JSON.stringify(name + rest)} from its skill's own package, and that cannot be found`,
      "There is nothing to install: fix the import, or add the missing file to the skill. Imports start at the script's folder or the skill's root.",
    );
  }
  const install = `pip install ${PACKAGES.get(name) ?? name}`;
  // Where the package itself is missing, Python names it alone.
  const problem =
    rest === ""
      ? `needs the Python module ${JSON.stringify(name)}, which is not installed`
      : `needs ${JSON.stringify(name + rest)}, which the installed version of ${name} does not have`;
  return missing(
    problem,
    usesEnvironment
      ? `Run "${install}" in the virtual environment that is configured.`
      : `Make a virtual environment (python3 -m venv <folder>), run "<folder>/bin/${install}", and name it as execution.virtualEnvironment.`,
  );
}
