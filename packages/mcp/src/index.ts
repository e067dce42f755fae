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
export { type HttpServing, serveHttp, type ServeHttpOptions } from "./server/http/serve-http.ts";
export { serveStdio, type ServeStdioOptions } from "./server/stdio/serve-stdio.ts";
