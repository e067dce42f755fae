/** What the filter has to know of an architecture; the numbers are those of its kernel headers. */
interface SystemCallTarget {
  readonly audit: number;
  readonly clone: number;
  readonly socket: number;
  readonly ioctl: number;
  /** Numbers from here on belong to another calling convention. */
  readonly foreignFrom?: number;
  readonly calls: Readonly<Record<string, number>>;
  /** Calls that give a file its mode, and which argument that is. */
  readonly modes: Readonly<Record<string, CallArgument>>;
  /** Calls with flags, and which argument these are; the mode is the next, and counts for new files. */
  readonly opens: Readonly<Record<string, CallArgument>>;
}

type CallArgument = readonly [number: number, argument: number];

/** The same on every architecture. */
const NEW_CALLS = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_getfd: 438,
  mount_setattr: 442,
};

const FCHMODAT2: CallArgument = [452, 2];

/** By the name that Node has for the architecture. */
const SYSTEM_CALL_TARGETS: Readonly<Record<string, SystemCallTarget>> = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    socket: 41,
    ioctl: 16,
    foreignFrom: 0x40000000,
    calls: {
      ...NEW_CALLS,
      ptrace: 101,
      syslog: 103,
      pivot_root: 155,
      acct: 163,
      mount: 165,
      umount2: 166,
      swapon: 167,
      swapoff: 168,
      reboot: 169,
      init_module: 175,
      delete_module: 176,
      quotactl: 179,
      kexec_load: 246,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      unshare: 272,
      perf_event_open: 298,
      name_to_handle_at: 303,
      open_by_handle_at: 304,
      setns: 308,
      process_vm_readv: 310,
      process_vm_writev: 311,
      kcmp: 312,
      finit_module: 313,
      kexec_file_load: 320,
      bpf: 321,
      userfaultfd: 323,
    },
    modes: {
      mkdir: [83, 1],
      creat: [85, 1],
      chmod: [90, 1],
      fchmod: [91, 1],
      mknod: [133, 1],
      mkdirat: [258, 2],
      mknodat: [259, 2],
      fchmodat: [268, 2],
      fchmodat2: FCHMODAT2,
    },
    opens: { open: [2, 1], openat: [257, 2] },
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    socket: 198,
    ioctl: 29,
    calls: {
      ...NEW_CALLS,
      umount2: 39,
      mount: 40,
      pivot_root: 41,
      quotactl: 60,
      acct: 89,
      unshare: 97,
      kexec_load: 104,
      init_module: 105,
      delete_module: 106,
      syslog: 116,
      ptrace: 117,
      reboot: 142,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      swapon: 224,
      swapoff: 225,
      perf_event_open: 241,
      name_to_handle_at: 264,
      open_by_handle_at: 265,
      setns: 268,
      process_vm_readv: 270,
      process_vm_writev: 271,
      kcmp: 272,
      finit_module: 273,
      bpf: 280,
      userfaultfd: 282,
      kexec_file_load: 294,
    },
    modes: {
      mknodat: [33, 2],
      mkdirat: [34, 2],
      fchmod: [52, 1],
      fchmodat: [53, 2],
      fchmodat2: FCHMODAT2,
    },
    opens: { openat: [56, 2] },
  },
};

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER_EQUAL = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;
const SECOND_ARGUMENT = 24;
const ARGUMENT_BYTES = 8;

const ALLOW = 0x7fff0000;
const REFUSE = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const CLONE3 = 435;
const OPENAT2 = 437;
/** The bits by which a program runs with the rights of its file's user or group. */
const LENDING = 0o6000;
/** `O_CREAT` and the bit of `O_TMPFILE`. */
const NEW_FILE = 0x400040;
/** All flags of namespaces: mount, cgroup, host name, messages, user, processes, network. */
const NEW_NAMESPACE = 0x7e020000;

const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

/** Local sockets, both versions of the internet protocol, and the kernel's own for addresses. */
const FAMILIES = [1, 2, 10, 16];

/**
 * A filter of system calls for the kernel, as bubblewrap takes it. Refused is what no script needs
 * and what reaches beyond namespaces: kernel interfaces with a long record of holes, other
 * processes' memory, sockets that no network namespace holds back, such as those to the host of a
 * virtual machine, and files that lend their owner's rights to whoever runs them.
 */
export function systemCallFilter(architecture: string = process.arch): Buffer | undefined {
  const target = Object.hasOwn(SYSTEM_CALL_TARGETS, architecture)
    ? SYSTEM_CALL_TARGETS[architecture]
    : undefined;
  if (target === undefined) return undefined;
  const { audit, calls, clone, socket, ioctl, foreignFrom, modes, opens } = target;
  const refused = Object.values(calls).flatMap((number) => [
    instruction(JUMP_EQUAL, number, 0, 1),
    instruction(RETURN, REFUSE | EPERM),
  ]);
  return Buffer.concat([
    instruction(LOAD, ARCHITECTURE),
    instruction(JUMP_EQUAL, audit, 1, 0),
    instruction(RETURN, REFUSE | EPERM),
    instruction(LOAD, NUMBER),
    ...(foreignFrom === undefined
      ? []
      : [instruction(JUMP_GREATER_EQUAL, foreignFrom, 0, 1), instruction(RETURN, REFUSE | EPERM)]),
    ...refused,
    // Its flags lie in memory, where a filter cannot see them; programs then use the older call.
    instruction(JUMP_EQUAL, CLONE3, 0, 1),
    instruction(RETURN, REFUSE | ENOSYS),
    instruction(JUMP_EQUAL, OPENAT2, 0, 1),
    instruction(RETURN, REFUSE | ENOSYS),
    // A file that lends its owner's rights would outlive the sandbox, and be root's where root runs it.
    ...Object.values(modes).flatMap(([number, mode]) => refuseLending(number, mode)),
    ...Object.values(opens).flatMap(([number, flags]) => refuseLendingOpen(number, flags)),
    // No new namespaces: inside a new one, a script would have all capabilities.
    instruction(JUMP_EQUAL, clone, 0, 4),
    instruction(LOAD, FIRST_ARGUMENT),
    instruction(JUMP_ANY_BIT, NEW_NAMESPACE, 0, 1),
    instruction(RETURN, REFUSE | EPERM),
    instruction(RETURN, ALLOW),
    // A terminal must not be given input.
    instruction(JUMP_EQUAL, ioctl, 0, 5),
    instruction(LOAD, SECOND_ARGUMENT),
    instruction(JUMP_EQUAL, TIOCSTI, 1, 0),
    instruction(JUMP_EQUAL, TIOCLINUX, 0, 1),
    instruction(RETURN, REFUSE | EPERM),
    instruction(RETURN, ALLOW),
    instruction(JUMP_EQUAL, socket, 0, 2 + FAMILIES.length),
    instruction(LOAD, FIRST_ARGUMENT),
    ...FAMILIES.map((family, i) => instruction(JUMP_EQUAL, family, FAMILIES.length - i, 0)),
    instruction(RETURN, REFUSE | EAFNOSUPPORT),
    instruction(RETURN, ALLOW),
  ]);
}

function refuseLending(number: number, mode: number): readonly Buffer[] {
  return [
    instruction(JUMP_EQUAL, number, 0, 4),
    instruction(LOAD, FIRST_ARGUMENT + ARGUMENT_BYTES * mode),
    instruction(JUMP_ANY_BIT, LENDING, 0, 1),
    instruction(RETURN, REFUSE | EPERM),
    instruction(RETURN, ALLOW),
  ];
}

/** Without a new file, the mode is whatever the register held before. */
function refuseLendingOpen(number: number, flags: number): readonly Buffer[] {
  return [
    instruction(JUMP_EQUAL, number, 0, 6),
    instruction(LOAD, FIRST_ARGUMENT + ARGUMENT_BYTES * flags),
    instruction(JUMP_ANY_BIT, NEW_FILE, 0, 3),
    instruction(LOAD, FIRST_ARGUMENT + ARGUMENT_BYTES * (flags + 1)),
    instruction(JUMP_ANY_BIT, LENDING, 0, 1),
    instruction(RETURN, REFUSE | EPERM),
    instruction(RETURN, ALLOW),
  ];
}

/** `jumpTrue` and `jumpFalse` count instructions to leave out. */
function instruction(code: number, value: number, jumpTrue = 0, jumpFalse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(jumpTrue, 2);
  bytes.writeUInt8(jumpFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
