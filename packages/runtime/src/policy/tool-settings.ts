import type { PolicyCall } from "./policy-call.ts";
import type { PolicySettings } from "./policy-settings.ts";
import { RISK_CLASSES, type RiskClass, UNKNOWN_TOOL } from "./risk-classes.ts";
import { toolName } from "./tool-names.ts";

export interface ToolSettings {
  readonly risk: RiskClass;
  readonly on: boolean;
  readonly disclosure: boolean;
  /** One of the tools that come with the runtime. */
  readonly isOurs: boolean;
}

/** The settings of one tool, under whichever of its names they are given. */
export function toolSettings({ tool }: PolicyCall, settings: PolicySettings): ToolSettings {
  const known = RISK_CLASSES.get(tool);
  const { risk, on, disclosure = false } = known ?? UNKNOWN_TOOL;
  const switches = valuesOf(settings.switches, tool);
  const risks = valuesOf(settings.risks, tool);
  return {
    // Of two settings for the same tool, the stricter one counts.
    risk: (["high", "medium", "low"] as const).find((one) => risks.includes(one)) ?? risk,
    on: switches.length === 0 ? on : !switches.includes(false),
    disclosure,
    isOurs: known !== undefined,
  };
}

function valuesOf<Value>(values: Readonly<Record<string, Value>>, tool: string): readonly Value[] {
  return Object.entries(values)
    .filter(([name]) => toolName(name) === tool)
    .map(([, value]) => value);
}
