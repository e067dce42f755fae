import { createSkillIndex, outlineBody } from "@skillwright/core";
import { shorten } from "./shorten.ts";

const MAX_TEXT = 100_000;
const MAX_SECTION = 1500;
const MAX_SECTIONS = 2;

/** The parts of instructions that fit a request, as they stand there and in their order. */
export function fittingSections(text: string, request: string): string {
  const body = text
    .slice(0, MAX_TEXT)
    .replace(/<skill_files>[^]*$/, "")
    .replace(/^<\/?skill_content[^\n]*$/gm, "")
    .trim();
  const lines = body.split("\n");
  const headings = outlineBody(body);
  const sections = headings.map(({ line }, i) => ({
    title: headings[i]?.title ?? "",
    text: lines
      .slice(line - 1, (headings[i + 1]?.line ?? lines.length + 1) - 1)
      .join("\n")
      .trim(),
  }));
  const full = sections.filter((section) => section.text.includes("\n"));
  if (full.length === 0) return shorten(body, MAX_SECTION);
  const index = createSkillIndex(
    full.map(({ title, text: description }, i) => ({ id: `${i}`, name: title, description })),
  );
  const hits = index.search(request, { limit: MAX_SECTIONS }).map(({ id }) => Number(id));
  const steps = full.findIndex(({ title }) =>
    /step|workflow|instruction|how|步骤|流程|用法/i.test(title),
  );
  const chosen = hits.length > 0 ? hits : [Math.max(0, steps)];
  return chosen
    .sort((a, b) => a - b)
    .map((i) => shorten(full[i]?.text ?? "", MAX_SECTION))
    .join("\n\n");
}
