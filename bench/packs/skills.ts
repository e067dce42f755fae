import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const WORDS =
  "table value query report export merge split filter column summary page file image chart total region order price date".split(
    " ",
  );

/** So many skills of four files with about 6 KB each, always the same. */
export function makeSkills(root: string, count: number): void {
  let state = 1;
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const words = (length: number, end: string) => {
    let text = "";
    while (text.length < length) {
      text += WORDS[Math.floor(random() * WORDS.length)] + (random() < 0.1 ? end : " ");
    }
    return text;
  };
  for (let i = 0; i < count; i++) {
    const folder = join(root, `skill-${i}`);
    mkdirSync(join(folder, "scripts"), { recursive: true });
    mkdirSync(join(folder, "references"));
    const description = `Works on ${words(120, " ").trim()}. Use when that is asked for.`;
    const head = `---\nname: skill-${i}\ndescription: ${description}\n---\n`;
    const body = `# Skill ${i}\n\n${words(6000, ".\n")}\n\nRun \`scripts/run.py\`.\n`;
    writeFileSync(join(folder, "SKILL.md"), head + body);
    writeFileSync(join(folder, "references/a.md"), `# A\n\n${words(7000, ".\n")}\n`);
    writeFileSync(join(folder, "references/b.md"), `# B\n\n${words(5000, ".\n")}\n`);
    const script = `import sys\n\n# ${words(4000, "\n# ")}\nprint(len(sys.argv))\n`;
    writeFileSync(join(folder, "scripts/run.py"), script);
  }
}
