import { Server, type ServerOptions, type Transport } from "@modelcontextprotocol/server";

/** A server that is in a set as long as it is connected; one that never was needs no end. */
export class TrackedServer extends Server {
  readonly #connected: Set<Server>;

  constructor(
    info: ConstructorParameters<typeof Server>[0],
    options: ServerOptions,
    connected: Set<Server>,
  ) {
    super(info, options);
    this.#connected = connected;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has only this
    this.onclose = () => connected.delete(this);
  }

  override async connect(transport: Transport): Promise<void> {
    this.#connected.add(this);
    await super.connect(transport);
  }
}
