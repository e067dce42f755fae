export {
  blobSuite,
  budgetSuite,
  type BudgetSuiteOptions,
  type ConformanceCheck,
  journalSuite,
  type JournalSuiteOptions,
  type OpenedPort,
  rateSuite,
  type RateSuiteOptions,
} from "./port-suites.ts";
