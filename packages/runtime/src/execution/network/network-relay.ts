/**
 * Runs inside a sandbox, which has a network of its own with nothing in it: listens there, hands
 * every connection to the proxy's socket, and only then starts the script. It can do no more than
 * the script itself. Arguments: socket, port, command.
 */
export const NETWORK_RELAY = `"use strict";
const { spawn } = require("node:child_process");
const { connect, createServer } = require("node:net");
const { constants } = require("node:os");

const [socketPath, port, program, ...args] = process.argv.slice(2);
const server = createServer({ allowHalfOpen: true }, (client) => {
  const proxy = connect({ path: socketPath, allowHalfOpen: true });
  for (const [from, to] of [[client, proxy], [proxy, client]]) {
    from.on("error", () => {});
    from.once("close", () => to.destroy());
    from.pipe(to);
  }
});
server.listen(Number(port), "127.0.0.1", () => {
  const script = spawn(program, args, { stdio: "inherit", detached: true });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => script.kill(signal));
  script.once("error", (error) => {
    process.stderr.write(error.message + "\\n");
    process.exit(127);
  });
  script.once("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
});
`;
