import { execFile } from "node:child_process";

const IMAGE = "node:22-alpine";
const TIMEOUT_MS = 30_000;

/** Runs each script in a container that is gone afterwards: no network, nothing writable but /tmp. */
export const containerExecutor = {
  probe() {
    return new Promise((resolve) => {
      execFile("docker", ["version"], (error) => {
        const message = "Docker does not answer.";
        resolve(error ? { ok: false, code: "sandbox-missing", message } : { ok: true });
      });
    });
  },

  async run(request, { signal } = {}) {
    const [directory, command] =
      "argv" in request
        ? [undefined, request.argv]
        : // The private copy that was approved, not the skill as it may be by now.
          [request.skill.snapshot?.directory ?? request.skill.path, commandOf(request)];
    const started = performance.now();
    const result = await docker(directory, command, {
      signal,
      timeout: request.limits?.timeoutMs ?? TIMEOUT_MS,
    });
    const ok = result.exitCode === 0;
    const message = `the container ended with exit code ${result.exitCode}`;
    return {
      ok,
      signal: null,
      truncated: false,
      durationMs: performance.now() - started,
      sandbox: "docker",
      digest: request.skill?.snapshot?.digest ?? "",
      command,
      unenforced: [],
      ...result,
      ...(!ok && { failure: { ok: false, code: "script-failed", message } }),
    };
  },
};

function commandOf({ script, args }) {
  return ["node", `/skill/${script.replace(/^(?!scripts\/)/, "scripts/")}`, ...args];
}

function docker(directory, command, options) {
  const mount = directory && ["--mount", `type=bind,src=${directory},dst=/skill,readonly`];
  // The copy of the skill is readable by this user alone.
  const user = `--user=${process.getuid()}:${process.getgid()}`;
  const isolation = [user, "--network=none", "--read-only", "--tmpfs=/tmp", "--cap-drop=ALL"];
  const args = ["run", "--rm", "--init", ...isolation, ...(mount ?? []), IMAGE, ...command];
  return new Promise((resolve) => {
    execFile("docker", args, options, (error, stdout, stderr) => {
      const canceled = options.signal?.aborted === true;
      const timedOut = error?.killed === true && !canceled;
      const exitCode = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      resolve({ exitCode, stdout, stderr, timedOut, canceled });
    });
  });
}
