import type { Pet, PetStatus } from "@petstore/client";

/** Every text of the board. Another language is a file like this one, beside it. */
export const words = {
  language: { tag: "en", name: "English", direction: "ltr" as "ltr" | "rtl" },
  product: "Petstore",
  statuses: { available: "Available", pending: "Pending", sold: "Sold" } satisfies Record<PetStatus, string>,
  allStatuses: "All",
  fields: {
    id: "ID",
    name: "Name",
    categoryId: "Category",
    status: "Status",
  } satisfies Record<keyof Pet, string>,
  actions: {
    add: "Add animals",
    addTitle: "Add animals (C)",
    close: "Close",
    copy: "Copy",
    copied: "Copied",
    loadMore: "Load more",
    refresh: "Refresh",
    retry: "Try again",
    stop: "Stop",
    signIn: "Sign in",
    skip: "Go to the list",
    signOut: "Sign out",
    useAnotherKey: "Use another key",
  },
  list: {
    label: (status: string) => `Animals: ${status}`,
    count: (count: string, isComplete: boolean): string =>
      isComplete ? (count === "1" ? "1 animal" : `${count} animals`) : `${count} animals so far`,
    category: (id: string) => `Category ${id}`,
    loading: "Loading animals…",
    loadingMore: "Loading more…",
    slow: "The service is slow. Still loading…",
    newAnimals: (count: string): string => (count === "1" ? "1 new animal" : `${count} new animals`),
    looking: (id: string) => `Looking for animal ${id}…`,
    newest: "Newest",
    end: "You have reached the end.",
    endAdvice: "New animals appear automatically. Refresh to see other changes.",
    empty: {
      available: "No animals are available.",
      pending: "No adoptions are pending.",
      sold: "No animals have been sold yet.",
      all: "There are no animals yet.",
    } satisfies Record<PetStatus | "all", string>,
    emptyAdvice: "New animals appear here within seconds.",
  },
  pet: {
    noName: "(no name)",
    copyId: "Copy ID",
    copyLink: "Copy link",
    missing: (id: string) => `There is no animal ${id} here`,
    missingAdvice: "It may have another status now, or it was removed.",
    lookInAll: "Look in all animals",
  },
  add: {
    one: "One animal",
    several: "Several animals",
    submit: "Add animal",
    sending: "Adding…",
    cancel: "Cancel",
    change: "Change it",
    discard: "Discard draft",
    another: "Keep the form open for another animal",
    restored: "This is the draft that you left here.",
    nameLength: (count: string, max: string) => `${count} / ${max}`,
    nameProblems: (max: string) => ({
      missing: "Enter a name.",
      tooLong: `The name is too long. Use at most ${max} characters.`,
      forbidden: "The name contains a damaged character. Type it again.",
    }),
    categoryAdvice: "A whole number, such as 7",
    categoryProblems: {
      missing: "Enter the number of a category.",
      notInteger: "Enter a whole number in digits, such as 7.",
      tooLarge: "The number is too large for the catalogue.",
    },
    unheard: "There was no response.",
    stopped: "You stopped waiting.",
    stoppedInTime: "You stopped it in time.",
    safe: "Trying again is safe: it is added once.",
    mayBeAdded: "The animal may have been added.",
    notAdded: "Nothing was added. Your draft is kept.",
    retryIn: (seconds: string): string =>
      seconds === "0" ? "You can try again now." : `You can try again in ${seconds} s.`,
    notices: {
      changed: "The animal may have been added before. Look for it in the list before you add it again.",
      reused:
        "This draft was sent before with other content, perhaps from a copy of this tab. It is a new draft now. Look at the list before you add it.",
    },
    added: { before: "", between: " was added as ", after: "." },
    failed: { before: "", after: " may not have been added." },
    openForm: "Open the form",
    dismiss: "Dismiss",
    readOnlyAdvice: "Ask the operator of this service for a key that allows it.",
  },
  paste: {
    advice: "Copy rows in your spreadsheet, and paste them here: name, category and status. CSV works, too.",
    adviceMore:
      "A row with the names of the columns may come first. Without a status, an animal is available. Spaces around a cell are removed.",
    rows: "Rows of the spreadsheet",
    example: (statuses: readonly string[]) => `Bella\t7\t${statuses[0]}\nMax\t12\t${statuses[1]}\nLuna\t7`,
    chooseFile: "Choose a file",
    preview: "Preview",
    row: "Row",
    empty: "Nothing to add yet.",
    ready: (count: string): string => (count === "1" ? "1 animal ready" : `${count} animals ready`),
    needFix: (count: string): string => (count === "1" ? "1 row needs fixing" : `${count} rows need fixing`),
    showInText: (row: string) => `Fix row ${row}`,
    notDrawn: (count: string): string =>
      count === "1" ? "1 more row is not shown." : `${count} more rows are not shown.`,
    missing: (column: string) => `No column is called ${column}. Rename a column in the first row to ${column}.`,
    excelFile: "This is an Excel file. Copy its rows, or save it as CSV.",
    ignored: (columns: string) => `These columns are not used: ${columns}.`,
    repeated: (count: string): string =>
      count === "1"
        ? "1 row is the same as an earlier one. It is added as another animal."
        : `${count} rows are the same as earlier ones. Each is added as another animal.`,
    tooMany: (limit: string) =>
      `Only the first ${limit} rows are added now. The others stay here. For large files there is a command: petstore pets import.`,
    tooLong: "This text is too long for the board. Paste fewer rows, or use the command: petstore pets import.",
    add: (count: string): string =>
      count === "0" ? "Add animals" : count === "1" ? "Add 1 animal" : `Add ${count} animals`,
    adding: (count: string): string => (count === "1" ? "Adding 1 animal…" : `Adding ${count} animals…`),
    progress: (done: string, total: string) => `${done} of ${total} added`,
    stopping: "Stopping…",
    added: (count: string): string => (count === "1" ? "1 animal was added." : `${count} animals were added.`),
    notAdded: (count: string): string =>
      count === "1"
        ? "1 row was not added. It is still in the form."
        : `${count} rows were not added. They are still in the form.`,
    noneAdded: "No animals were added.",
    interrupted: "The page was left before all rows were sent.",
    again: "Add them again: the board never adds a row twice.",
    show: (status: string) => `See them in ${status}`,
    unsure: "May have been added already. Leave this row as it is: sending it again does not add it twice.",
    rejected: "The service rejected this row.",
    statusProblem: (statuses: string) => `The status must be one of these: ${statuses}.`,
    unsureNewKey:
      "May have been added already, with your earlier key. Look for it in the list before you add it again.",
  },
  account: {
    menu: "Account and settings",
    access: (canAdd: boolean): string =>
      canAdd ? "Your key can view and add animals." : "Your key can view animals, but not add them.",
    keptForTab: "It is kept until you close this tab.",
    keptOnDevice: "It is kept on this device until you sign out.",
    language: "Language",
    reference: "API reference",
  },
  signIn: {
    title: "Sign in to the adoption board",
    lead: "See which animals are available, pending and sold, and add new ones.",
    key: "API key",
    keyAdvice: "It starts with pst_. The operator of this service issues it.",
    showKey: "Show the key",
    remember: "Remember on this device",
    rememberWarning:
      "Anyone who uses this browser can then read the catalogue and use your key. Choose this only on your own device.",
    checking: "Checking the key…",
    later: "Try again in a moment.",
    keyMissing: "Enter an API key.",
    keyForm: "An API key has no spaces, quotes or letters with accents.",
  },
  problems: {
    offline: {
      what: "You are offline",
      todo: "Check your connection. The board continues automatically when you are back online.",
    },
    unreachable: { what: "The service does not respond", todo: "It may be restarting. The board keeps trying." },
    slow: { what: "The service took too long", todo: "The board keeps trying." },
    keyRejected: {
      what: "Your key no longer works",
      todo: "It is wrong, expired or revoked. Sign in with another key.",
    },
    keyUnknown: {
      what: "This key does not work",
      todo: "Check that you copied all of it. It may also be expired or revoked.",
    },
    notAllowed: {
      what: "Your key does not allow this",
      todo: "Ask the operator for a key that does, or use another key.",
    },
    limited: { what: "Too many requests", todo: "Your key has reached its limit. The board continues automatically." },
    busy: { what: "The service is busy", todo: "The board keeps trying." },
    rejected: {
      what: "The service rejected the request",
      todo: "Reload the page. If that does not help, ask the operator.",
    },
    failed: { what: "The service failed", todo: "Try again. If it happens again, give the operator the request id." },
    broken: {
      what: "The board does not understand the response",
      todo: "Reload the page. A newer version may be running.",
    },
  },
  requestId: "Request ID",
  nextAttempt: (seconds: string) => `Next attempt in ${seconds} s`,
};

export type Words = typeof words;
