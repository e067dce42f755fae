import { type Expectation, ownTool } from "../case-draft.ts";
import { durationOf, isFields, numberOf, textsOf } from "../fields.ts";

/** Constraints under the names that several clients give them. */
export function addLimits(value: unknown, expectation: Expectation): void {
  if (!isFields(value)) return;
  expectation.limit("maxTurns", numberOf(value, "max_turns", "maxTurns", "max_iterations"));
  expectation.limit("maxToolCalls", numberOf(value, "max_tool_calls", "maxToolCalls"));
  expectation.limit("maxScripts", numberOf(value, "max_scripts", "maxScripts"));
  expectation.limit("maxTokens", numberOf(value, "max_tokens", "maxTokens"));
  expectation.limit("maxCost", numberOf(value, "max_cost", "maxCost", "max_cost_usd"));
  const milliseconds = numberOf(value, "max_duration_ms", "max_response_time_ms", "maxTimeMs");
  expectation.limit("maxTimeMs", milliseconds);
  const duration = value["max_duration"] ?? value["maxTime"] ?? value["max_time"];
  if (duration !== undefined) expectation.limit("maxTimeMs", durationOf(duration));
  const required = textsOf(value, "required_tools", "requiredTools", "expect_tools");
  const forbidden = textsOf(value, "forbidden_tools", "forbiddenTools", "reject_tools");
  expectation.required.push(...required.map(ownTool));
  expectation.forbidden.push(...forbidden.map(ownTool));
  const used = textsOf(value, "expect_skills");
  const unused = textsOf(value, "reject_skills");
  if (used.length > 0) expectation.use(...used);
  if (unused.length > 0) expectation.avoid(...unused);
}
