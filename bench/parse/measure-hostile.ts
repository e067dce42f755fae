import {
  lintSkillText,
  parseSkill,
  readSkillMetadata,
} from "../../packages/core/src/format/parse-skill.ts";
import { hostileBodies } from "./hostile-bodies.ts";
import { hostileFrontmatter, type HostileInput } from "./hostile-frontmatter.ts";

export interface HostileTime {
  readonly input: string;
  readonly reader: string;
  readonly milliseconds: number;
}

type Reader = (text: string) => unknown;

const SEED = 16;
const REPETITIONS = 5;
const READERS: Readonly<Record<string, Reader>> = { parseSkill, lintSkillText, readSkillMetadata };

/** How long each hostile text takes each of its readers, slowest first. */
export function measureHostile(): HostileTime[] {
  const cases = [
    ...hostileFrontmatter(SEED).flatMap((input) =>
      Object.entries(READERS).map(([reader, read]) => ({ input, reader, read })),
    ),
    ...hostileBodies(SEED).map((input) => ({
      input,
      reader: "lintSkillText",
      read: lintSkillText,
    })),
  ];
  for (const { input, read } of cases) time(input, read);
  const times = cases.map(({ input, reader, read }) => ({
    input: input.name,
    reader,
    milliseconds: Math.min(...Array.from({ length: REPETITIONS }, () => time(input, read))),
  }));
  return times.sort((a, b) => b.milliseconds - a.milliseconds);
}

function time({ name, text }: HostileInput, read: Reader): number {
  const start = performance.now();
  try {
    read(text);
  } catch (cause) {
    throw new Error(`reading ${name} throws, and nothing may`, { cause });
  }
  return performance.now() - start;
}
