import { type Failure, type Skills } from "@skillwright/core";
import { openTrustStore } from "@skillwright/core/internal";
import type { AppSkills } from "../api.ts";
import { AppFailure, asValue } from "../failure.ts";
import { isFromMcp } from "../mcp/mcp-session-skills.ts";
import { requireVerified } from "../mcp/require-verified.ts";
import { findOrFail } from "../session/find-or-fail.ts";
import { meantTrust } from "../session/meant-trust.ts";
import type { Session } from "../session/session.ts";
import { storedName, trustedSkills } from "../session/trusted-skill.ts";
import { switchSkill } from "./switches.ts";

interface Opened {
  readonly session: Session;
  readonly skills: Skills;
}

/** Skills of an application; what a person decides about them takes effect with `reopen`. */
export function createSkills(opened: () => Opened, reopen: () => Promise<void>): AppSkills {
  const decide = <Value extends { readonly ok: true }>(
    work: (opened: Opened) => Promise<Value>,
  ): Promise<Value | Failure> =>
    asValue(async () => {
      const value = await work(opened());
      await reopen();
      return value;
    });
  const turn = (name: string, enabled: boolean) =>
    decide(async ({ session, skills }) => {
      const { changed, left } = await switchSkill({ name, enabled }, skills, session);
      const [still] = left;
      if (still === undefined) return { ok: true as const, changed };
      throw new AppFailure("no", `${name} is still disabled: ${still.place}`, { hint: still.undo });
    });
  return {
    get registry() {
      return opened().skills;
    },
    list: () => opened().skills.all,
    explain: (name) => opened().skills.explain(name),
    refresh: async () => {
      await opened().skills.refresh();
    },
    enable: (name) => turn(name, true),
    disable: (name) => turn(name, false),
    trust: (name) => decide((now) => trust(name, now)),
    untrust: (name) =>
      decide(async ({ session: { stateDirectory, project } }) => {
        // As it is now: somebody else may have decided since.
        const store = await openTrustStore(stateDirectory);
        if (name === undefined) await store.setFolder(project, "untrusted");
        else {
          const meant = meantTrust(name, trustedSkills(store));
          if (meant.length === 0)
            throw new AppFailure("no", `${name} was not trusted by its content`);
          for (const { stored } of meant) await store.untrustName(stored);
        }
        return { ok: true };
      }),
  };
}

async function trust(name: string | undefined, { session, skills }: Opened) {
  const store = await openTrustStore(session.stateDirectory);
  if (name === undefined) {
    await store.setFolder(session.project, "trusted");
    return { ok: true as const };
  }
  const skill = findOrFail(skills, name);
  if (isFromMcp(skill)) {
    await requireVerified(skill, skills);
    await store.trustDigest(skills.stampOf(skill), storedName(skill));
  } else await store.trustDigest(await skills.digest(skill), skill.name);
  return { ok: true as const };
}
