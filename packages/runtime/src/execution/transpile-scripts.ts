import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { ResolvedLimits } from "./check-request.ts";
import {
  canceledFailure,
  executionFailure,
  type ExecutionFailure,
  type Snapshot,
  timedOutFailure,
} from "./executor.ts";
import { isTypeScript } from "./find-interpreter.ts";

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

interface TranspileOptions {
  readonly limits: Pick<ResolvedLimits, "memoryBytes" | "timeoutMs">;
  readonly signal?: AbortSignal | undefined;
}

interface Source {
  readonly path: string;
  readonly source: string;
  readonly transforms: readonly string[];
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
  for (const { path, source, transforms } of workerData.sources) {
    try {
      const options = { transforms, disableESTransforms: true, filePath: path };
      parentPort.postMessage({ path, code: transform(source, options).code });
    } catch (error) {
      parentPort.postMessage({ path, problem: String(error && error.message).slice(0, 500) });
    }
  }
});
`;

/**
 * Writes a skill's TypeScript as JavaScript into another folder, with the hooks that let Node load
 * it from there. The skill itself stays as it was approved.
 */
export async function transpileScripts(
  snapshot: Snapshot,
  script: string,
  target: string,
  options: TranspileOptions,
): Promise<ExecutionFailure | undefined> {
  const formats: Record<string, "module" | "commonjs"> = {};
  const sources: Source[] = [];
  for (const path of snapshot.files) {
    if (!isTypeScript(path) || path.includes("node_modules/")) continue;
    const source = readFileSync(join(snapshot.directory, path), "utf8");
    const isModule = !path.endsWith(".cts") && (path.endsWith(".mts") || isModuleText(source));
    formats[path] = isModule ? "module" : "commonjs";
    sources.push({ path, source, transforms: ["typescript", ...(isModule ? [] : ["imports"])] });
  }
  const transpiled = await transpile(sources, script, options);
  if (!Array.isArray(transpiled)) return transpiled;
  for (const { path, code, problem } of transpiled) {
    const message = `${path} is not valid TypeScript: ${problem}`;
    if (code === undefined && path === script)
      return executionFailure("script-unreadable", message);
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Only a script that imports an invalid file fails.
    const text = code ?? `throw new SyntaxError(${JSON.stringify(message)});`;
    writeFileSync(file, text, { mode: 0o400 });
  }
  writeFileSync(join(target, "formats.json"), JSON.stringify(formats), { mode: 0o400 });
  writeFileSync(join(target, HOOKS_FILE), TYPESCRIPT_HOOKS, { mode: 0o400 });
  return undefined;
}

/**
 * Small files can keep sucrase busy for years, so it runs in a thread that the script's timeout and
 * signal terminate.
 */
async function transpile(
  sources: readonly Source[],
  script: string,
  { limits, signal }: TranspileOptions,
): Promise<Transpiled[] | ExecutionFailure> {
  const { timeoutMs, memoryBytes } = limits;
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
  const transpiled: Transpiled[] = [];
  const unreadable = (why: string) =>
    executionFailure("script-unreadable", `the TypeScript of the skill cannot be read: ${why}`);
  let timer: NodeJS.Timeout | undefined;
  let cancel: (() => void) | undefined;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve(timedOutFailure(script, timeoutMs)), timeoutMs);
      cancel = () => resolve(canceledFailure(script));
      signal?.addEventListener("abort", cancel);
      if (signal?.aborted === true) cancel();
      worker.on("message", (file: Transpiled) => transpiled.push(file));
      worker.once("error", (error: Error) => resolve(unreadable(error.message)));
      worker.once("exit", () =>
        resolve(transpiled.length === sources.length ? transpiled : unreadable("it was cut short")),
      );
    });
  } finally {
    clearTimeout(timer);
    if (cancel !== undefined) signal?.removeEventListener("abort", cancel);
    await worker.terminate();
  }
}

/** Tests run from source, which a worker cannot load; there sucrase is an installed package. */
function sucraseUrl(moduleUrl: string): string {
  if (!moduleUrl.endsWith(".ts")) return moduleUrl;
  return pathToFileURL(createRequire(moduleUrl).resolve("sucrase")).href;
}

function isModuleText(source: string): boolean {
  return IS_MODULE.test(source) || !/\brequire\s*\(/.test(source);
}
