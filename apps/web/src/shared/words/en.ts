import type { Pet, PetStatus } from "@petstore/client";
import type { FieldName } from "@petstore/contract/fields";
import type { NoSheet } from "@petstore/sheet";
import type { Order } from "../address.ts";
import type { ProblemOf } from "../pet-fields.ts";
import { plural } from "../plural.ts";

/** Every text of the board. To add a language, add a file like this one to this folder. */
export const words = {
  language: { tag: "en", name: "English", direction: "ltr" as "ltr" | "rtl" },
  statuses: { available: "Available", pending: "Reserved", sold: "Adopted" } satisfies Record<PetStatus, string>,
  allStatuses: "All",
  fields: {
    id: "ID",
    name: "Name",
    categoryId: "Category",
    status: "Status",
  } satisfies Record<keyof Pet, string>,
  /** What is wrong with a field. Called with the maximum of a text, or with the choices. */
  fieldProblems: {
    name: (max: string) => ({
      missing: "Enter a name.",
      tooLong: `The name is too long. Use at most ${max} characters.`,
      forbidden: "The name contains a damaged character. Type it again.",
    }),
    categoryId: () => ({
      missing: "Enter the number of a category.",
      notChosen: "Choose a category.",
      notInteger: "Enter a whole number in digits, such as 7.",
      unknown: "There is no category with this name. Choose one.",
      tooLarge: "The number is too large for the catalogue.",
    }),
    status: (choices: string) => ({ unknown: `The status must be one of these: ${choices}.` }),
  } satisfies { [Name in FieldName]: (limit: string) => Record<ProblemOf<Name>, string> },
  actions: {
    add: "Add animals",
    close: "Close",
    copy: "Copy",
    copied: "Copied",
    refresh: "Refresh",
    retry: "Try again",
    stop: "Stop",
    signIn: "Sign in",
    signOut: "Sign out",
    useAnotherKey: "Use another key",
  },
  list: {
    label: (status: string) => `Animals: ${status}`,
    count: (count: string, isComplete: boolean): string =>
      isComplete ? (count === "1" ? "1 animal" : `${count} animals`) : `${count} animals so far`,
    changed: plural("1 was just changed", "# were just changed"),
    over: (limit: string) =>
      `There are more than ${limit} animals. The board shows as many as it can hold: first available, then reserved, then adopted ones.`,
    category: (id: string) => `Category ${id}`,
    categories: "Categories",
    moreCategories: (count: string) => `${count} more…`,
    option: (name: string, count: string) => `${name} (${count})`,
    search: "Search name, ID or category",
    menu: "More for this list",
    order: "Order",
    orders: { newest: "Newest first", oldest: "Oldest first", name: "By name" } satisfies Record<Order, string>,
    save: (count: string) => `Save as CSV (${count})`,
    fileName: "animals",
    loading: "Loading animals…",
    slow: "The service is slow. Still loading…",
    newAnimals: plural("1 new animal", "# new animals"),
    looking: (id: string) => `Looking for animal ${id}…`,
    empty: {
      available: "No animals are available.",
      pending: "No animals are reserved.",
      sold: "No animals have been adopted yet.",
      all: "There are no animals yet.",
    } satisfies Record<PetStatus | "all", string>,
    emptyAdvice: "New animals appear here within seconds.",
    nothingFound: "Nothing found here.",
    elsewhere: (count: string) => `Show matches in all lists (${count})`,
    clear: "Clear the search",
  },
  pet: {
    noName: "(no name)",
    copyId: "Copy ID",
    copyLink: "Copy link",
    missing: (id: string) => `There is no animal ${id} here`,
    missingAdvice: "It was removed, or the link is wrong.",
    previous: "Previous animal",
    next: "Next animal",
    edit: "Edit",
    remove: "Remove",
    removeAdvice: "Remove this animal for good? It cannot be put back here.",
    save: "Save",
    cancel: "Cancel",
    change: { available: "Make available", pending: "Reserve", sold: "Adopt" } satisfies Record<PetStatus, string>,
    changeOf: {
      available: (name: string) => `Make available: ${name}`,
      pending: (name: string) => `Reserve: ${name}`,
      sold: (name: string) => `Adopt: ${name}`,
    } satisfies Record<PetStatus, (name: string) => string>,
    backShort: "Back",
    back: (status: string, name: string) => `Back to ${status}: ${name}`,
    backTitle: (status: string) => `Back to ${status}`,
  },
  toasts: {
    isNow: (status: string) => ` is now ${status}.`,
    isSaved: " was saved.",
    undo: "Undo",
    isGone: " was removed.",
  },
  outbox: {
    title: "Not saved",
    allSaved: "All changes are saved.",
    sending: (count: string): string => `Saving ${count === "1" ? "1 change" : `${count} changes`}…`,
    notSaved: (count: string) => `${count} not saved`,
    someNotSaved: "Some changes were not saved.",
    add: ": new animal",
    change: ": changes",
    removal: ": removal",
    marks: {
      waiting: "Saving…",
      waitingFor: (status: string) => `Saving: ${status}`,
      overtaken: "Not saved",
      rejected: "Not saved",
      unsure: "Perhaps not saved",
    },
    explanations: {
      waiting: "The board sends it until the service responds.",
      overtaken: "Someone else changed it first: it",
      rejected: "The service rejected it.",
      unsure: "It may be saved already. Look for it before you send it again.",
    },
    sendAgain: "Send again",
    doNotSave: "Do not save",
    dismissAll: (count: string) => `Dismiss all ${count}`,
  },
  add: {
    one: "One animal",
    several: "Several animals",
    submit: "Add animal",
    discard: "Discard draft",
    another: "Keep the form open for another animal",
    restored: "Your draft was restored.",
    textLength: (count: string, max: string) => `${count} / ${max}`,
    numberAdvice: "A whole number, such as 7",
    categoryAdviceNamed: "Choose one, or type its first letters",
    added: { before: "", between: " was added as ", after: "." },
    dismiss: "Dismiss",
    readOnlyAdvice: "Ask the operator of this service for a key that allows it.",
  },
  paste: {
    advice:
      "Choose your spreadsheet, or paste its rows: for each animal a name and a category, and perhaps a status. It need not be made for the board.",
    rows: "Paste your rows here",
    example: (statuses: readonly string[]) =>
      `Name\tCategory\tStatus\nBella\t7\t${statuses[0]}\nMax\t12\t${statuses[1]}`,
    chooseFile: "Choose a file",
    otherFile: "Choose another file",
    noFile: "Close the file",
    dropFile: "or drop it anywhere on this page",
    reading: "Reading the file…",
    failures: {
      json: "This is JSON, not a spreadsheet. There is a command for it: petstore pets import.",
      html: "This is a web page, not a spreadsheet. Save it as XLSX or CSV.",
      "old workbook": "This is an old Excel file. Save it as XLSX or CSV.",
      "damaged workbook": "This workbook is damaged. Open it in a spreadsheet, and save it again.",
      "large workbook": "This file is too large for the board. Use the command: petstore pets import.",
      empty: "There are no rows in it.",
      other: "This is not a spreadsheet. Choose an XLSX or a CSV file.",
    } satisfies Record<NoSheet, string>,
    choices: "What the columns and words mean",
    table: "Sheet",
    encoding: "Encoding. Do these names look right?",
    choose: "Choose…",
    sameForAll: "The same for all animals",
    column: (name: string, samples: string) => `${name} (${samples})`,
    nameless: plural("1 animal has no name", "# animals have no name"),
    leaveOut: "Leave out",
    confirm: "These choices are right",
    values: (field: string) => `${field}: what it means`,
    allRows: "All animals",
    noValue: "No value",
    rowCount: plural("1 row", "# rows"),
    others: (count: string): string => (count === "0" ? "All unknown words" : `All ${count} unknown words`),
    above: plural(
      "The row above the names of the columns is not used.",
      "The # rows above the names of the columns are not used.",
    ),
    ignored: (columns: string) => `These columns are not used: ${columns}.`,
    nothing: "Nothing to add or to change.",
    fresh: plural("1 new animal", "# new animals"),
    changed: plural("1 changed", "# changed"),
    equal: plural("1 unchanged", "# unchanged"),
    leftOut: plural("1 row left out", "# rows left out"),
    repeated: plural(
      "1 animal with this name and category is in the catalogue already.",
      "# animals with these names and categories are in the catalogue already.",
    ),
    addAnyway: "Add them anyway",
    missing: plural("1 row has the ID of an animal that is not here.", "# rows have IDs of animals that are not here."),
    addAsNew: "Add them as new animals",
    renamed: plural(
      "1 animal has another name here. Is it another animal?",
      "# animals have other names here. Are they other animals?",
    ),
    changeAnyway: "Change them",
    changesAdvice: "What others have changed since you saved the file cannot be told from your changes.",
    rejected: plural("1 row has a mistake, and will not be sent.", "# rows have a mistake, and will not be sent."),
    inRows: (count: string, first: string): string => (count === "1" ? `Row ${first}:` : `${count} rows:`),
    noName: "There is no name.",
    badId: "The ID is not a whole number, or comes twice.",
    rounded: "A spreadsheet has rounded this number.",
    saveRejected: "Save these rows with the reason",
    rejectedFile: "rows-with-mistakes.csv",
    reason: "Reason",
    preview: "Preview",
    row: "Row",
    notDrawn: plural("1 more is not shown.", "# more are not shown."),
    tooMany: (limit: string) => `${limit} are sent at a time. The others follow with the next click.`,
    send: (added: string, changed: string): string =>
      changed === "0"
        ? added === "0"
          ? "Add animals"
          : added === "1"
            ? "Add 1 animal"
            : `Add ${added} animals`
        : added === "0"
          ? changed === "1"
            ? "Change 1 animal"
            : `Change ${changed} animals`
          : `Add ${added}, change ${changed}`,
    added: plural("1 animal was added.", "# animals were added."),
  },
  account: {
    menu: "Account and settings",
    key: "Access key",
    access: (canAdd: boolean): string =>
      canAdd ? "Your key can view, add and change animals." : "Your key can view animals, but not add or change them.",
    keptForTab: "It is kept until you close this tab.",
    keptOnDevice: "It is kept on this device until you sign out.",
    language: "Language",
    help: "Help",
    reference: "API reference",
    signOutAndDiscard: (count: string) => `Sign out, and discard what is not saved (${count})`,
  },
  signIn: {
    title: "Sign in to the adoption board",
    lead: "See which animals are available, reserved and adopted, and add new ones.",
    key: "Access key",
    keyAdvice: "It starts with pst_. Ask whoever runs this service for one.",
    showKey: "Show the key",
    remember: "Remember on this device",
    rememberWarning:
      "Anyone who uses this browser can then read the catalogue and use your key. Choose this only on your own device.",
    checking: "Checking the key…",
    later: "Try again in a moment.",
    keyMissing: "Enter an access key.",
    keyForm: "An access key has no spaces, quotes or letters with accents.",
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
