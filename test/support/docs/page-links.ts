import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./documented-block.ts";

/** Links of a page to files and headings that are not there. */
export function deadLinks(page: string): string[] {
  const text = withoutCode(readFileSync(join(ROOT, page), "utf8"));
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:href|src|srcset)="([^"]+)"/g)];
  return links
    .map(([, markdown, html]) => markdown ?? html ?? "")
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => !leadsSomewhere(page, link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || !target.endsWith(".md") || anchorsOf(target).has(anchor);
}

function anchorsOf(page: string): Set<string> {
  const text = withoutCode(readFileSync(join(ROOT, page), "utf8"));
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => anchorOf(title)));
}

/** As the usual hosts make them of headings. */
function anchorOf(title: string): string {
  const words = title.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "");
  return words.trim().replaceAll(/\s/g, "-");
}

function withoutCode(text: string): string {
  return text.replaceAll(/^( *)(`{3,})[^]*?^\1\2$/gm, "");
}
