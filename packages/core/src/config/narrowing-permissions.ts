import { coversDomain } from "./domain-pattern.ts";
import { isBelow, isInside, keepSome, type Narrowing } from "./narrowing-kinds.ts";
import type { Configuration, FailOn, PackLimitOptions, RiskOptions } from "./options.ts";

type Texts = readonly string[];

/** From the least to the most. */
const RISKS: Texts = ["low", "medium", "high"];

/** From the loosest to the strictest. */
const FAIL_ON: readonly FailOn[] = ["never", "critical", "high", "medium", "low"];

export const onlyDomainsCovered: Narrowing<Texts> = {
  summary: "only what the user's domains cover",
  narrow: (wanted, held) =>
    keepSome(
      wanted.filter((domain) => held.some((outer) => coversDomain(outer, domain))),
      wanted,
      "a project may only name domains that the user allows",
    ),
};

/** Links on the way are refused when a script runs. */
export const onlyFoldersCovered: Narrowing<Texts> = {
  summary: "only inside the user's folders",
  narrow: (wanted, held) =>
    keepSome(
      wanted.filter(
        (path) => held.includes(path) || (isInside(path) && held.some((one) => isBelow(path, one))),
      ),
      wanted,
      "a project may only name folders inside those that the user allows",
    ),
};

/** `restrict` permits least, then `ask`; `grant` and `ignore` each permit what the other does not. */
export const onlyStricterReading: Narrowing<Configuration["policy"]["allowedTools"]> = {
  summary: "only `restrict`, or `ask` for the user's `grant` or `ignore`",
  narrow: (wanted, held) =>
    wanted === "restrict" || wanted === held || (wanted === "ask" && held !== "restrict")
      ? { value: wanted }
      : { refused: 'a project may only set it to "restrict" or "ask", where that is stricter' },
};

/**
 * The usual risk of a tool is not known here, and the user may call it by another name: what is
 * not the user's own entry must be the highest.
 */
export const onlyHigherRisks: Narrowing<RiskOptions> = {
  summary: "only `high`, or higher than the user's",
  narrow: (wanted, held) => {
    const least = (tool: string) => (Object.hasOwn(held, tool) ? held[tool] : undefined) ?? "high";
    const kept = Object.entries(wanted).filter(
      ([tool, risk]) => RISKS.indexOf(risk) >= RISKS.indexOf(least(tool)),
    );
    const all = kept.length === Object.keys(wanted).length;
    const refused = "a project may only raise the risk of a tool";
    return { value: Object.fromEntries(kept), ...(all ? undefined : { refused }) };
  },
};

export const onlyStricterScan: Narrowing<FailOn> = {
  summary: "only stricter: `never` < `critical` < `high` < `medium` < `low`",
  narrow: (wanted, held) =>
    FAIL_ON.indexOf(wanted) >= FAIL_ON.indexOf(held)
      ? { value: wanted }
      : { refused: `a project may only make the scan stricter than "${held}"` },
};

export const onlySmallerPacks: Narrowing<PackLimitOptions> = {
  summary: "only smaller",
  narrow: (wanted, held) => {
    const limits: Readonly<Record<string, number | undefined>> = { ...held };
    const kept = Object.entries(wanted).filter(
      ([name, limit]: [string, number]) => limit <= (limits[name] ?? 0),
    );
    const all = kept.length === Object.keys(wanted).length;
    const refused = "a project may only lower the limits of a pack";
    return { value: Object.fromEntries(kept), ...(all ? undefined : { refused }) };
  },
};
