/**
 * Loaded by Node before a TypeScript script: takes the JavaScript that was made of each file from
 * the folder of this module, and lets `./x` and `./x.js` stand for `./x.ts`.
 */
export const TYPESCRIPT_HOOKS = `import { existsSync, readFileSync } from "node:fs";
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
