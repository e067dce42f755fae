import { CASE_STYLE } from "./case-style.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { PRINT_STYLE } from "./print-style.ts";
import { TABLE_STYLE } from "./table-style.ts";

export const REPORT_STYLE = [PAGE_STYLE, TABLE_STYLE, CASE_STYLE, PRINT_STYLE].join("");
