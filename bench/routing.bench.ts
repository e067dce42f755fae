import { type Given, measureExamples } from "./search/measure-examples.ts";
import { readRoutingData, routingDataFile } from "./search/routing-data.ts";

const MIN_LEAN_GAIN = 0.08;
const MIN_BODIES_GAIN = 0.04;

/** What trigger examples do for search, and how often a route is right. */
export async function run(): Promise<void> {
  const data = readRoutingData();
  if (data === undefined) {
    console.log(`skipped: there is no ${routingDataFile()}; SKILL_ROUTING_DATA names another file`);
    return;
  }
  for (const withBodies of [false, true]) {
    console.log(withBodies ? "\nname, description and body" : "name and description");
    console.log(`${"examples".padEnd(12)}   hit@1  neg@1  precision  coverage  neg routed`);
    const firsts = (["nothing", "positives", "both"] satisfies Given[]).map((given) => {
      const { first, negativesFirst, precision, coverage, negativesRouted } = measureExamples(
        data,
        given,
        withBodies,
      );
      const values = [first, negativesFirst, precision, coverage, negativesRouted];
      console.log(given.padEnd(12) + values.map((value) => value.toFixed(3).padStart(9)).join(""));
      return first;
    });
    const [without = 0, positives = 0] = firsts;
    const bar = withBodies ? MIN_BODIES_GAIN : MIN_LEAN_GAIN;
    const ok = positives - without >= bar;
    const gain = `${(100 * (positives - without)).toFixed(1)} points`;
    console.log(`gain at hit@1: ${gain}   bar ≥ ${100 * bar} ${ok ? "ok" : "MISS"}`);
    if (!ok) process.exitCode = 1;
  }
}
