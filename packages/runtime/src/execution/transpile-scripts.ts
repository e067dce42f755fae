import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { executionFailure, type ExecutionFailure } from "./execution-receipt.ts";
import type { Snapshot } from "./snapshot.ts";
import { TYPESCRIPT_HOOKS } from "./typescript-hooks.ts";

const ENDINGS = new Set([".ts", ".mts", ".cts"]);
const IS_MODULE = /^\s*(?:import\b(?!\s*\()|export\b)/m;

export const HOOKS_FILE = "hooks.mjs";

export function isTypeScript(path: string): boolean {
  return ENDINGS.has(extname(path).toLowerCase()) && !path.endsWith(".d.ts");
}

/**
 * Writes a skill's TypeScript as JavaScript into another folder, with the hooks that let Node load
 * it from there. The skill itself stays as it was approved.
 */
export async function transpileScripts(
  snapshot: Snapshot,
  script: string,
  target: string,
): Promise<ExecutionFailure | undefined> {
  const { transform } = await import("sucrase");
  const formats: Record<string, "module" | "commonjs"> = {};
  for (const path of snapshot.files) {
    if (!isTypeScript(path) || path.includes("node_modules/")) continue;
    const source = readFileSync(join(snapshot.directory, path), "utf8");
    const isModule = !path.endsWith(".cts") && (path.endsWith(".mts") || isModuleText(source));
    formats[path] = isModule ? "module" : "commonjs";
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    try {
      const { code } = transform(source, {
        transforms: isModule ? ["typescript"] : ["typescript", "imports"],
        disableESTransforms: true,
        filePath: path,
      });
      writeFileSync(file, code, { mode: 0o400 });
    } catch (error) {
      const why = error instanceof Error ? error.message : "unknown reason";
      const message = `${path} is not valid TypeScript: ${why}`;
      if (path === script) return executionFailure("script-unreadable", message);
      // Only a script that loads it has to know.
      writeFileSync(file, `throw new SyntaxError(${JSON.stringify(message)});`, { mode: 0o400 });
    }
  }
  writeFileSync(join(target, "formats.json"), JSON.stringify(formats), { mode: 0o400 });
  writeFileSync(join(target, HOOKS_FILE), TYPESCRIPT_HOOKS, { mode: 0o400 });
  return undefined;
}

function isModuleText(source: string): boolean {
  return IS_MODULE.test(source) || !/\brequire\s*\(/.test(source);
}
