/** How a host colours text; that of the command line fits. */
export interface ReportColors {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly green: (text: string) => string;
}

const same = (text: string) => text;

export const plainColors: ReportColors = {
  bold: same,
  dim: same,
  red: same,
  yellow: same,
  green: same,
};
