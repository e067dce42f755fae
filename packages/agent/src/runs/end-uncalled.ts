import type { Failure } from "@skillwright/core";
import type { Run } from "./run.ts";

/** Says why a skill that a person named is not used, with names that can be. */
export function endUncalled(run: Run, name: string, failure: Failure, isCall: boolean): void {
  endAsError(run, uncalled(run, name, failure, isCall ? "/" : ""));
}

/** The run is over before the model was asked. */
export function endAsError(run: Run, { message, hint }: Pick<Failure, "message" | "hint">): void {
  run.record({
    event: "run-end",
    data: {
      status: "error",
      answer: "",
      reason: message,
      ...(hint !== undefined && { hint }),
      usage: run.state.usage,
    },
  });
}

/** Without the source. */
export function nameOf(called: string): string {
  return called.replace(/@[^@]*$/, "");
}

function uncalled(
  run: Run,
  name: string,
  failure: Failure,
  sign: string,
): Pick<Failure, "message" | "hint"> {
  const { skills } = run.options;
  const known = skills.find(name);
  if (known.ok && !known.skill.enabled) {
    const hint = `Enable it: skillwright enable ${known.skill.name}`;
    return { message: `the skill ${known.skill.name} is disabled`, hint };
  }
  if (known.ok && !known.skill.trusted) {
    const hint = "After a look at it: skillwright trust, or --trust for one run.";
    return { message: `the skill ${known.skill.name} is there, but not trusted`, hint };
  }
  const callable = (one: string) => {
    const found = skills.find(one);
    return found.ok ? found.skill.userInvocable : undefined;
  };
  if (callable(name) === false) {
    const hint = "Say what you want in your own words instead.";
    return { message: `the skill ${name} is not to be called by its name`, hint };
  }
  const elsewhere = skills.find(nameOf(name));
  if (callable(name) === undefined && name.includes("@") && elsewhere.ok) {
    const { name: known, source } = elsewhere.skill;
    const message = `there is no skill ${JSON.stringify(name)}; ${known} is from ${source}`;
    return { message, hint: `did you mean ${sign}${known} or ${sign}${known}@${source}?` };
  }
  const near = (failure.candidates ?? []).filter((one) => callable(one) === true);
  if (near.length === 0) return failure;
  return { ...failure, hint: `did you mean ${near.map((one) => sign + one).join(" or ")}?` };
}
