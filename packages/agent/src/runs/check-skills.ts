import type { SkillActivated } from "../events/run-event.ts";
import type { Run } from "./run.ts";

/** The skills that a resumed run has in context are looked at anew: they may have changed or gone. */
export async function checkSkills(run: Run): Promise<void> {
  for (const skill of run.state.active) await checkSkill(skill, run);
}

async function checkSkill(skill: SkillActivated, run: Run): Promise<void> {
  const { id, name, source, by } = skill;
  const place = `${name}@${source}`;
  const found = run.view.find(place);
  const reason = found.ok ? undefined : "it is not there any more, or not trusted";
  const activation =
    reason === undefined
      ? await run.view.activate(place, { by, roomTokens: run.roomTokens() })
      : { ok: false, message: reason };
  if (!activation.ok) {
    run.record({ event: "skill-drop", data: { id, name, reason: activation.message } });
    run.view.ledger.remove(id);
  } else if ("digest" in activation && !activation.alreadyActive) {
    const { digest, tokens, text, files } = activation;
    const turn = run.state.usage.turns;
    const paths = files.map(({ path }) => path);
    const changed = { text: run.hide(text), files: paths, changed: true as const };
    const data = { ...skill, turn, digest, tokens, ...changed };
    run.record({ event: "skill-activate", data });
  }
}
