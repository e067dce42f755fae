import { hasSharedHash } from "../lock/shared-hash.ts";
import { originOfShared, type SharedOrigin } from "../lock/shared-entry.ts";
import { readSharedLock } from "../lock/shared-lock.ts";
import type { PackFailure } from "../pack-failure.ts";
import { sourceOf } from "../sources/source-of.ts";
import type { ChangeReport } from "./change-report.ts";
import { installSources, type WantedSource } from "./install-skills.ts";
import { inWorkplace } from "./open-session.ts";
import type { RestoreOptions } from "./restore-options.ts";

/** There is only the lock of other clients: what it names is installed, and locked from then on. */
export async function restoreShared(options: RestoreOptions): Promise<ChangeReport | PackFailure> {
  const shared = readSharedLock(options.scope);
  if (!shared.ok) return invalid(shared.reason);
  const entries = Object.entries(shared.lock.skills);
  if (entries.length === 0) {
    return {
      ok: false,
      code: "not-installed",
      message: "there is no lock to restore from",
      hint: "install something first: skillwright install <source>",
    };
  }
  if (options.frozen === true) {
    const message = "only skills-lock.json is there, which locks no content";
    const hint = "install without --frozen once, and commit .agent/skills.lock.json";
    return { ok: false, code: "lock-differs", message, hint };
  }
  const bySource = new Map<string, [name: string, from: SharedOrigin][]>();
  for (const [name, entry] of entries) {
    const from = originOfShared(entry);
    if (from === undefined) {
      return invalid(`the source of ${JSON.stringify(name)} is not known here`);
    }
    const source = sourceOf(from.origin);
    const group = bySource.get(source) ?? [];
    bySource.set(source, group);
    group.push([name, from]);
  }
  const sources = [...bySource].map(([source, group]) => wantedOf(source, group));
  const session = { ...options, cwd: options.scope.base };
  return inWorkplace(session, (place) => installSources(sources, session, place));
}

function wantedOf(
  source: string,
  group: readonly (readonly [name: string, from: SharedOrigin])[],
): WantedSource {
  return {
    source,
    skills: group.map(([name, { skillPath }]) => skillPath ?? name),
    check: ({ name, files }, { path }) => {
      const entry = group.find(([own, from]) => (from.skillPath ?? own) === path || own === name);
      const hash = entry?.[1].computedHash;
      return hash === undefined || hasSharedHash(files, hash) ? undefined : otherHash(name);
    },
  };
}

function otherHash(name: string): PackFailure {
  return {
    ok: false,
    code: "digest-mismatch",
    message: `the source of ${JSON.stringify(name)} no longer has what skills-lock.json was written for`,
    hint: "look at what changed, and install it by its source if it is wanted",
  };
}

function invalid(reason: string): PackFailure {
  return { ok: false, code: "lock-invalid", message: `skills-lock.json: ${reason}` };
}
