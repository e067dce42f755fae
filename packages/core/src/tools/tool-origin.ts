import type { SkillTool } from "./skill-tool.ts";

const origins = new WeakMap<SkillTool, string>();

/** Remembers what a generated tool is, whatever name it is offered under. */
export function withOrigin(tool: SkillTool, origin: string): SkillTool {
  origins.set(tool, origin);
  return tool;
}

/** The name a generated tool has in its preset; undefined for tools from elsewhere. */
export function originOf(tool: SkillTool): string | undefined {
  return origins.get(tool);
}
