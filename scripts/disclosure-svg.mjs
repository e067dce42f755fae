import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./setup.mjs";

const SKILLS = join(ROOT, "skills");
const SKILL = "tabular-data";
const FILE = "references/options.md";
const [LEFT, TOP, ROW, FULL] = [24, 62, 62, 660];

/** The picture of progressive disclosure, with the tokens of the built-in skills. */
export async function disclosureSvg({ openSkills, estimateTokens }) {
  const skills = await openSkills({ roots: [SKILLS] });
  const chat = skills.conversation();
  const activation = await chat.activate(SKILL);
  const file = await chat.readFile(SKILL, FILE);
  if (!activation.ok || !file.ok) throw new Error(`cannot read ${SKILL}`);
  const names = skills.all.map(({ name }) => name);
  const rows = [
    {
      color: "catalog",
      title: "1  Catalog: always in the prompt",
      detail: `name and description of ${names.length} skills`,
      tokens: chat.catalog().tokens,
    },
    {
      color: "body",
      title: "2  Instructions: when the model chooses a skill",
      detail: `${SKILL}/SKILL.md`,
      tokens: estimateTokens(activation.text.replaceAll(`${SKILLS}/`, "")),
    },
    {
      color: "file",
      title: "3  File: when the instructions lead to it",
      detail: `${SKILL}/${FILE}`,
      tokens: estimateTokens(readFileSync(join(SKILLS, SKILL, FILE), "utf8")),
    },
  ];
  return draw(
    rows,
    names.flatMap(textsOf).reduce((sum, text) => sum + estimateTokens(text), 0),
  );
}

/** What a model would read if it got everything: instructions and references. */
function textsOf(name) {
  const folder = join(SKILLS, name, "references");
  const files = readdirSync(folder).map((file) => join(folder, file));
  return [join(SKILLS, name, "SKILL.md"), ...files].map((file) => readFileSync(file, "utf8"));
}

function draw(rows, all) {
  const used = rows.reduce((sum, { tokens }) => sum + tokens, 0);
  const title = `Progressive disclosure: a request reads ${count(used)} tokens instead of ${count(all)}`;
  const widthOf = (tokens) => Math.round((tokens / all) * FULL);
  let start = LEFT;
  const steps = rows.map(({ color, title: head, detail, tokens }, index) => {
    const [x, y, width] = [start, TOP + index * ROW, widthOf(tokens)];
    start += width;
    return `<text class="head" x="${LEFT}" y="${y}">${head}</text>
<text class="dim" x="${LEFT + FULL}" y="${y}" text-anchor="end">${detail}</text>
<rect class="${color}" x="${x}" y="${y + 10}" width="${width}" height="22" rx="3"/>
<text x="${x + width + 8}" y="${y + 26}">${count(tokens)} tokens</text>`;
  });
  const y = TOP + rows.length * ROW;
  const height = y + 56;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 708 ${height}" width="708" height="${height}" role="img" aria-label="${title}">
<!-- Made by scripts/disclosure-svg.mjs (npm run docs) from the built-in skills. Do not edit. -->
<title>${title}</title>
<style>text{font:14px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#1f2328}.head{font-weight:600}.dim{fill:#57606a}
.screen{fill:#fbfbfc;stroke:#d0d7de}.catalog{fill:#0a58ca}.body{fill:#1a7f37}.file{fill:#b58100}.all{fill:#d0d7de}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.dim{fill:#8b949e}.screen{fill:#0d1117;stroke:#30363d}.catalog{fill:#79c0ff}.body{fill:#56d364}.file{fill:#e3b341}.all{fill:#30363d}}</style>
<rect class="screen" width="708" height="${height}" rx="8"/>
<text class="head" x="${LEFT}" y="30">A model reads ${count(used)} tokens, step by step, instead of ${count(all)} at once</text>
${steps.join("\n")}
<text class="head" x="${LEFT}" y="${y}">Everything at once</text>
<text class="dim" x="${LEFT + FULL}" y="${y}" text-anchor="end">instructions and references of all skills</text>
<rect class="all" x="${LEFT}" y="${y + 10}" width="${FULL}" height="22" rx="3"/>
<text x="${LEFT + 8}" y="${y + 26}">${count(all)} tokens</text>
</svg>
`;
}

function count(tokens) {
  return tokens.toLocaleString("en-US");
}
