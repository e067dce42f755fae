/** What the filter has to know of an architecture; the numbers are those of its kernel headers. */
export interface SystemCallTarget {
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
export const SYSTEM_CALL_TARGETS: Readonly<Record<string, SystemCallTarget>> = {
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
