import { isIPv4 } from "node:net";

/** Whether only this machine reaches a server that listens there. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}
