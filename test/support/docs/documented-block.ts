import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Directive, readDirective } from "./directive.ts";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** A fenced block of a page, with what a hidden comment before it says about its test. */
export interface DocumentedBlock {
  /** From the repository on, such as `docs/packs.md`. */
  readonly page: string;
  readonly line: number;
  /** The first word behind the fence; empty when there is none. */
  readonly language: string;
  readonly text: string;
  readonly directive: Directive;
  /** It stands right behind the block before it: what that one prints. */
  readonly isOutput: boolean;
}

/** Every page whose blocks are executed. */
export function documentedPages(): string[] {
  const pages = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  const others = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "ARCHITECTURE.md"];
  const packages = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}/README.md`);
  const readmes = packages.filter((path) => existsSync(join(ROOT, path)));
  return [...others, ...pages.map((name) => `docs/${name}`), ...readmes];
}

export function blocksOf(page: string): DocumentedBlock[] {
  return readBlocks(page, readFileSync(join(ROOT, page), "utf8"));
}

const FENCE = /^( *)(`{3,})([\w-]*)\s*$/;
const COMMENT = /^ *<!-- test: (.*) -->$/;

export function readBlocks(page: string, text: string): DocumentedBlock[] {
  const blocks: DocumentedBlock[] = [];
  const lines = text.split("\n");
  let directive: Directive = {};
  let isBehindBlock = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const comment = COMMENT.exec(line)?.[1];
    const [, indent = "", fence, language = ""] = FENCE.exec(line) ?? [];
    if (comment !== undefined) directive = readDirective(comment, `${page}:${index + 1}`);
    else if (fence !== undefined) {
      const end = lines.findIndex((other, at) => at > index && other.trim() === fence);
      if (end === -1) throw new Error(`${page}:${index + 1}: the block does not end`);
      const inner = lines.slice(index + 1, end).map((other) => other.slice(indent.length));
      blocks.push({
        page,
        line: index + 1,
        language,
        text: `${inner.join("\n")}\n`,
        directive,
        isOutput: isBehindBlock && language === "text",
      });
      directive = {};
      index = end;
    }
    if (line.trim() !== "") isBehindBlock = fence !== undefined;
  }
  return blocks;
}
