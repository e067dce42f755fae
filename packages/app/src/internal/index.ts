export { existingRoots, namedBase } from "../session/roots.ts";
export { openSessionRegistry, registryOptions } from "../session/registry.ts";
export {
  openPlace,
  openSession,
  type Session,
  type SessionOptions,
  type SessionPlace,
  trustedSession,
} from "../session/session.ts";
export { openSessionSkills } from "../session/skills.ts";
export { sourceOption } from "../session/source.ts";
