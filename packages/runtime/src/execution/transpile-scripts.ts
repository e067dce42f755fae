import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { ResolvedLimits } from "./check-request.ts";
import { type Snapshot } from "./executor.ts";
import {
  canceledFailure,
  executionFailure,
  type ExecutionFailure,
  timedOutFailure,
} from "./execution-failure.ts";
import { isTypeScript } from "./find-program.ts";

/**
 * Loaded by Node before a TypeScript script: takes the JavaScript that was made of each file from
 * the folder of this module, and resolves `./x` and `./x.js` to `./x.ts`.
 */
const TYPESCRIPT_HOOKS = `import { existsSync, readFileSync } from "node:fs";
import { register } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";

const here = new URL(".", import.meta.url);
const formats = JSON.parse(readFileSync(new URL("formats.json", here), "utf8"));
const skill = pathToFileURL(process.env.SKILL_DIR + "/").href;
if (isMainThread) register(import.meta.url);

function pathOf(url) {
  const path = url.startsWith(skill) ? decodeURIComponent(url.slice(skill.length)) : "";
  return Object.hasOwn(formats, path) ? path : undefined;
}

export async function resolve(specifier, context, next) {
  if (/^\\.{0,2}\\//.test(specifier) && context.parentURL) {
    const plain = new URL(specifier, context.parentURL).href;
    const stem = plain.replace(/\\.([mc]?)js$/, ".$1ts");
    for (const url of [plain, stem, plain + ".ts", plain + "/index.ts"]) {
      if (pathOf(url) && (url === plain || !existsSync(fileURLToPath(plain)) || plain.endsWith("/"))) {
        return { url, format: formats[pathOf(url)], shortCircuit: true };
      }
    }
  }
  const result = await next(specifier, context);
  const path = pathOf(result.url);
  return path ? { ...result, format: formats[path] } : result;
}

export async function load(url, context, next) {
  const path = pathOf(url);
  if (!path) return next(url, context);
  const source = readFileSync(new URL(path, here), "utf8");
  return { format: formats[path], source, shortCircuit: true };
}
`;

interface Source {
  readonly path: string;
  readonly source: string;
  readonly isModule: boolean;
}

/** The JavaScript of a file, or why there is none. */
interface Transpiled {
  readonly path: string;
  readonly code?: string;
  readonly problem?: string;
}

const IS_MODULE = /^[^\S\n\r\u2028\u2029]*(?:import\b(?!\s*\()|export\b)/m;
const MEBIBYTE = 1024 * 1024;
const MAX_HEAP_MEBIBYTES = 512;

export const HOOKS_FILE = "hooks.mjs";

/** As text it works from source, from a build and from a bundle alike. */
const WORKER = `
"use strict";
const { parentPort, workerData } = require("node:worker_threads");
import(workerData.url).then(async (loaded) => {
  const exported = loaded.default ?? loaded;
  const { transform } = (await exported.sucraseModule?.load()) ?? exported;
  parentPort.postMessage(workerData.sources.map(({ path, source, isModule }) => {
    const transforms = isModule ? ["typescript"] : ["typescript", "imports"];
    try {
      const options = { transforms, disableESTransforms: true, filePath: path };
      return { path, code: transform(source, options).code };
    } catch (error) {
      return { path, problem: String(error && error.message).slice(0, 500) };
    }
  }));
});
`;

/**
 * Writes a skill's TypeScript as JavaScript into another folder, with the hooks that let Node load
 * it from there. The skill itself stays as it was approved.
 */
export async function transpileScripts(
  { files, directory }: Snapshot,
  script: string,
  target: string,
  limits: ResolvedLimits,
  signal: AbortSignal | undefined,
): Promise<ExecutionFailure | undefined> {
  const sources = [...files]
    .filter((path) => isTypeScript(path) && !path.includes("node_modules/"))
    .map((path): Source => {
      const source = readFileSync(join(directory, path), "utf8");
      const isModule = !path.endsWith(".cts") && (path.endsWith(".mts") || !isCommonJs(source));
      return { path, source, isModule };
    });
  const transpiled = await transpile(sources, script, limits, signal);
  if ("code" in transpiled) return transpiled;
  const write = (path: string, text: string) => {
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o400 });
  };
  for (const { path, code, problem } of transpiled) {
    const message = `${path} is not valid TypeScript: ${problem}`;
    if (code === undefined && path === script) {
      return executionFailure("script-unreadable", message);
    }
    // Only a script that imports an invalid file fails.
    write(path, code ?? `throw new SyntaxError(${JSON.stringify(message)});`);
  }
  const formats = sources.map(({ path, isModule }) => [path, isModule ? "module" : "commonjs"]);
  write("formats.json", JSON.stringify(Object.fromEntries(formats)));
  write(HOOKS_FILE, TYPESCRIPT_HOOKS);
  return undefined;
}

/**
 * Small files can keep sucrase busy for years, so it runs in a thread that the script's timeout and
 * signal terminate.
 */
async function transpile(
  sources: readonly Source[],
  script: string,
  { timeoutMs, memoryBytes }: ResolvedLimits,
  signal: AbortSignal | undefined,
): Promise<readonly Transpiled[] | ExecutionFailure> {
  const { sucraseModule } = await import("./sucrase-module.ts");
  const heap = Math.min(Math.ceil(memoryBytes / MEBIBYTE), MAX_HEAP_MEBIBYTES);
  const worker = new Worker(WORKER, {
    eval: true,
    workerData: { url: sucraseUrl(sucraseModule.url), sources },
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 64 },
  });
  const timeout = AbortSignal.timeout(timeoutMs);
  const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    const [files] = (await once(worker, "message", { signal: stop })) as [readonly Transpiled[]];
    return files;
  } catch (error) {
    if (signal?.aborted === true) return canceledFailure(script);
    if (timeout.aborted) return timedOutFailure(script, timeoutMs);
    const message = `the TypeScript of the skill cannot be read: ${(error as Error).message}`;
    return executionFailure("script-unreadable", message);
  } finally {
    await worker.terminate();
  }
}

/** Tests run from source, which a worker cannot load; there sucrase is an installed package. */
function sucraseUrl(moduleUrl: string): string {
  if (!moduleUrl.endsWith(".ts")) return moduleUrl;
  return pathToFileURL(createRequire(moduleUrl).resolve("sucrase")).href;
}

function isCommonJs(source: string): boolean {
  return !IS_MODULE.test(source) && /\brequire\s*\(/.test(source);
}
