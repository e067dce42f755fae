import type { EvalCase } from "@skillwright/evals";

/** Those whose id, title, request, skill or tag has the text; of several texts with a comma, any. */
export function selectCases(
  cases: readonly EvalCase[],
  filter: string | undefined,
): readonly EvalCase[] {
  if (filter === undefined) return cases;
  const wanted = filter
    .split(",")
    .map((text) => text.trim().toLowerCase())
    .filter((text) => text !== "");
  return cases.filter(({ id, title, input, tags, origin }) => {
    const texts = [id, title, input, origin.skill ?? "", ...tags].map((text) => text.toLowerCase());
    return wanted.some((one) => texts.some((text) => text.includes(one)));
  });
}

/** A case with this tag takes more than the offline model can do. One with a mock brings its decisions along. */
export function needsModel({ tags, mock }: EvalCase): boolean {
  return mock === undefined && tags.includes("needs-model");
}
