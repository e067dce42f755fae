export { HOST_LIMITS, type HostLimits } from "./host/host-limits.ts";
export type { McpFailure, McpFailureCode } from "./host/mcp-failure.ts";
export { McpHost, type McpHostOptions, type McpToolList } from "./host/mcp-host.ts";
export { mcpScripts, type McpScriptsOptions } from "./host/mcp-scripts.ts";
export { mcpSkills, type McpSkillSource } from "./host/mcp-skills.ts";
export type { McpServerReport } from "./host/server-report.ts";
export type { McpServerOptions } from "./host/settings/read-server-settings.ts";
export { mcpPolicy } from "./host/tools/mcp-policy.ts";
export { guardMcpTool, type GuardMcpOptions, type McpTool } from "./host/tools/mcp-tool.ts";
export {
  type AskedResult,
  ClientApprover,
  type ClientCall,
} from "./server/approval/client-approver.ts";
export {
  createSkillServer,
  type SkillServer,
  type SkillServerOptions,
} from "./server/create-skill-server.ts";
export { HTTP_LIMITS, type HttpLimits } from "./server/http/http-limits.ts";
export { isLoopbackHost } from "./server/http/is-loopback-host.ts";
export type { HttpServing, ServeHttpOptions } from "./server/http/serve-http.ts";
export type { ServeStdioOptions } from "./server/stdio/serve-stdio.ts";
export { serveHttp, serveStdio } from "./lazy.ts";
