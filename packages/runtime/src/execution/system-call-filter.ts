/** What the filter has to know of an architecture, by the name that Node has for it. */
const TARGETS = new Map<string, Target>([
  ["x64", { column: 0, audit: 0xc000003e, clone: 56, socket: 41, ioctl: 16, foreign: 0x40000000 }],
  ["arm64", { column: 1, audit: 0xc00000b7, clone: 220, socket: 198, ioctl: 29 }],
]);

interface Target {
  /** Of the tables below, whose numbers are those of kernel headers. */
  readonly column: 0 | 1;
  readonly audit: number;
  readonly clone: number;
  readonly socket: number;
  readonly ioctl: number;
  /** Numbers from here on belong to another calling convention. */
  readonly foreign?: number;
}

/** Refused whatever their arguments: name, number on x64, number on arm64. */
const REFUSED = [
  "io_uring_setup 425 425, io_uring_enter 426 426, io_uring_register 427 427, open_tree 428 428",
  "move_mount 429 429, fsopen 430 430, fsconfig 431 431, fsmount 432 432, fspick 433 433",
  "pidfd_getfd 438 438, mount_setattr 442 442, ptrace 101 117, syslog 103 116, pivot_root 155 41",
  "acct 163 89, mount 165 40, umount2 166 39, swapon 167 224, swapoff 168 225, reboot 169 142",
  "init_module 175 105, delete_module 176 106, quotactl 179 60, kexec_load 246 104",
  "add_key 248 217, request_key 249 218, keyctl 250 219, unshare 272 97, perf_event_open 298 241",
  "name_to_handle_at 303 264, open_by_handle_at 304 265, setns 308 268, bpf 321 280",
  "process_vm_readv 310 270, process_vm_writev 311 271, kcmp 312 272, finit_module 313 273",
  "kexec_file_load 320 294, userfaultfd 323 282",
].join(", ");

/** Calls that give a file its mode, and which argument that is; some are on x64 only. */
const MODES = [
  "mkdir 83, creat 85, chmod 90, fchmod 91 52, mknod 133",
  "mkdirat 258 34, mknodat 259 33, fchmodat 268 53, fchmodat2 452 452",
] as const;

/** Calls with flags in this argument; the mode is the next, and counts for new files. */
const OPENS = ["open 2", "openat 257 56"] as const;

function numbersIn(calls: string, { column }: Target): readonly number[] {
  const numbers = calls.split(", ").map((call) => call.split(" ")[column + 1]);
  return numbers.filter((number) => number !== undefined).map(Number);
}

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER_EQUAL = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;
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
  const target = TARGETS.get(architecture);
  if (target === undefined) return undefined;
  const { audit, clone, socket, ioctl, foreign } = target;
  const each = (calls: string, rule: (number: number) => readonly Buffer[]) =>
    numbersIn(calls, target).flatMap(rule);
  return Buffer.concat(
    [
      [instruction(LOAD, ARCHITECTURE), instruction(JUMP_EQUAL, audit, 1), refuse()],
      [instruction(LOAD, NUMBER)],
      foreign === undefined ? [] : refuseIf(JUMP_GREATER_EQUAL, foreign),
      each(REFUSED, (number) => refuseIf(JUMP_EQUAL, number)),
      // Their flags lie in memory, where a filter cannot see them; programs then use the older calls.
      [CLONE3, OPENAT2].flatMap((number) => refuseIf(JUMP_EQUAL, number, ENOSYS)),
      // A file that lends its owner's rights would outlive the sandbox, and be root's where root runs it.
      MODES.flatMap((calls, i) =>
        each(calls, (number) =>
          ofCall(number, [argument(i + 1), ...refuseIf(JUMP_ANY_BIT, LENDING)]),
        ),
      ),
      // Without a new file, the mode is whatever the register held before.
      OPENS.flatMap((calls, i) =>
        each(calls, (number) =>
          ofCall(number, [
            argument(i + 1),
            ...allowUnless(JUMP_ANY_BIT, NEW_FILE),
            argument(i + 2),
            ...refuseIf(JUMP_ANY_BIT, LENDING),
          ]),
        ),
      ),
      // No new namespaces: inside a new one, a script would have all capabilities.
      ofCall(clone, [argument(0), ...refuseIf(JUMP_ANY_BIT, NEW_NAMESPACE)]),
      // A terminal must not be given input.
      ofCall(ioctl, [
        argument(1),
        ...refuseIf(JUMP_EQUAL, TIOCSTI),
        ...refuseIf(JUMP_EQUAL, TIOCLINUX),
      ]),
      ofCall(socket, [
        argument(0),
        ...FAMILIES.map((family, i) => instruction(JUMP_EQUAL, family, FAMILIES.length - i)),
        refuse(EAFNOSUPPORT),
      ]),
      [ALLOWED],
    ].flat(),
  );
}

/** What holds for a call of this number, and for no other; what it does not refuse is allowed. */
function ofCall(number: number, rules: readonly Buffer[]): readonly Buffer[] {
  return [instruction(JUMP_EQUAL, number, 0, rules.length + 1), ...rules, ALLOWED];
}

function refuseIf(jump: number, value: number, error = EPERM): readonly Buffer[] {
  return [instruction(jump, value, 0, 1), refuse(error)];
}

function allowUnless(jump: number, value: number): readonly Buffer[] {
  return [instruction(jump, value, 1), ALLOWED];
}

function refuse(error = EPERM): Buffer {
  return instruction(RETURN, REFUSE | error);
}

/** Loads an argument of the call. */
function argument(index: number): Buffer {
  return instruction(LOAD, FIRST_ARGUMENT + ARGUMENT_BYTES * index);
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

const ALLOWED = instruction(RETURN, ALLOW);
