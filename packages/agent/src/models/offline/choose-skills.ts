import { asksForOther } from "./asks-for-other.ts";
import { lacksObject } from "./lacks-object.ts";
import { plainQuestion } from "./plain-question.ts";
import { requestParts } from "./request-parts.ts";
import { subjectOf } from "./subject-of.ts";
import { type RankedSkill, rankSkills, type SkillEntry } from "./rank-skills.ts";

export interface SkillChoice {
  /** At most two; none when nothing fits. */
  readonly chosen: readonly SkillEntry[];
  /** What came near, the best first. */
  readonly nearest: readonly SkillEntry[];
  /** The best one fits so well that looking further is of no use. */
  readonly isClear: boolean;
}

/**
 * Fitted by hand on labelled requests to skills of 72 repositories. There, for the 886 requests in
 * English that do not name their skill, among 8 skills (40) of which all others are from other
 * repositories: the right one is chosen for 70 % (63 %), a wrong one for 2 % (4 %); where the right
 * one is not there, 93 % (91 %) are left alone. Near misses that a skill's author excludes still
 * choose it in 30 % (20 %). The common words are from the same data: other requests may do worse.
 */
const FITS = { least: 0.35, perLog: 0.37, base: -0.25 };
/** Requests in Chinese match fewer words of skills that are described in English. */
const CHINESE = 0.45;
/** So many times better than needed, and looking further is of no use. */
const CLEARLY = 3;
const MAX_NEAREST = 3;
const MAX_REQUEST = 2000;

/** Which skills to use for a request, or honestly none. */
export function chooseSkills(request: string, skills: readonly SkillEntry[]): SkillChoice {
  const rank = rankSkills(skills);
  const ranked = rank(subjectOf(request));
  const nearest = ranked.slice(0, MAX_NEAREST).map(({ skill }) => skill);
  const named = skills.filter(({ name }) => mentions(request, name)).slice(0, 2);
  if (named.length > 0) return { chosen: named, nearest, isClear: true };
  const needed = neededFit(request, skills.length);
  const bestOf = (text: string): RankedSkill | undefined => {
    const fits = ({ fit, skill }: RankedSkill) =>
      fit >= needed && !lacksObject(text, skill) && !asksForOther(text, skill);
    const found = rank(subjectOf(text)).find(fits);
    if (found !== undefined) return found;
    const plain = rank(plainQuestion(text)).find(({ skill }) => !asksForOther(text, skill));
    return plain !== undefined && plain.fit >= needed ? { ...plain, fit: needed } : undefined;
  };
  const two = different(requestParts(request).map(bestOf));
  if (two.length === 2) return { chosen: two, nearest, isClear: true };
  const best = bestOf(request);
  if (best === undefined) return { chosen: [], nearest, isClear: false };
  return { chosen: [best.skill], nearest, isClear: best.fit >= needed * CLEARLY };
}

/** The more skills there are, the better one of them fits by accident. */
function neededFit(request: string, size: number): number {
  const needed = Math.max(FITS.least, FITS.perLog * Math.log(size) + FITS.base);
  return /\p{Script=Han}/u.test(request.slice(0, MAX_REQUEST)) ? needed * CHINESE : needed;
}

function different(parts: readonly (RankedSkill | undefined)[]): SkillEntry[] {
  const skills = new Set<SkillEntry>();
  for (const part of parts) if (part !== undefined) skills.add(part.skill);
  return [...skills].slice(0, 2);
}

/** Only names of two words or more, or after a slash: `notes` alone is also a plain word. */
function mentions(request: string, name: string): boolean {
  const text = request.slice(0, MAX_REQUEST).toLowerCase();
  const wanted = name.toLowerCase();
  const at = text.indexOf(wanted);
  if (wanted === "" || at < 0) return false;
  const before = text.charAt(at - 1);
  const after = text.charAt(at + wanted.length);
  if (/[a-z0-9_./-]/.test(after) || /[a-z0-9_.-]/.test(before)) return false;
  return wanted.includes("-") || before === "/" || before === "`";
}
