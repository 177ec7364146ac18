import type { Words } from "./en.ts";

export const words: Words = {
  language: { tag: "de", name: "Deutsch", direction: "ltr" },
  product: "Petstore",
  statuses: { available: "Verfügbar", pending: "Reserviert", sold: "Vermittelt" },
  otherStatusWords: { sold: ["Verkauft"] },
  allStatuses: "Alle",
  fields: {
    id: "ID",
    name: "Name",
    categoryId: "Kategorie",
    status: "Status",
  },
  actions: {
    add: "Tiere hinzufügen",
    addTitle: "Tiere hinzufügen (C)",
    close: "Schließen",
    copy: "Kopieren",
    copied: "Kopiert",
    refresh: "Neu laden",
    retry: "Erneut versuchen",
    stop: "Anhalten",
    signIn: "Anmelden",
    skip: "Zur Liste",
    signOut: "Abmelden",
    useAnotherKey: "Anderen Schlüssel verwenden",
  },
  list: {
    label: (status) => `Tiere: ${status}`,
    count: (count, isComplete) =>
      isComplete ? (count === "1" ? "1 Tier" : `${count} Tiere`) : `bisher ${count} Tiere`,
    over: (limit) =>
      `Es gibt mehr als ${limit} Tiere. Hier sind so viele, wie die Seite fasst: erst die verfügbaren, dann die reservierten, dann die vermittelten.`,
    category: (id) => `Kategorie ${id}`,
    categories: "Kategorien",
    moreCategories: (count) => `${count} weitere …`,
    option: (name, count) => `${name} (${count})`,
    search: "Name, ID oder Kategorie suchen",
    menu: "Mehr für diese Liste",
    order: "Reihenfolge",
    orders: { newest: "Neueste zuerst", oldest: "Älteste zuerst", name: "Nach Namen" },
    print: (count) => `Drucken (${count})`,
    save: (count) => `Als CSV speichern (${count})`,
    fileName: "tiere",
    loading: "Tiere werden geladen …",
    slow: "Der Dienst ist langsam. Es wird noch geladen …",
    newAnimals: (count) => (count === "1" ? "1 neues Tier" : `${count} neue Tiere`),
    looking: (id) => `Tier ${id} wird gesucht …`,
    empty: {
      available: "Keine Tiere sind verfügbar.",
      pending: "Keine Tiere sind reserviert.",
      sold: "Noch keine Tiere wurden vermittelt.",
      all: "Es gibt noch keine Tiere.",
    },
    emptyAdvice: "Neue Tiere erscheinen hier nach wenigen Sekunden.",
    nothingFound: "Hier wurde nichts gefunden.",
    elsewhere: (count) => `Treffer in allen Listen zeigen (${count})`,
    clear: "Suche löschen",
  },
  pet: {
    noName: "(ohne Namen)",
    copyId: "ID kopieren",
    copyLink: "Link kopieren",
    missing: (id) => `Hier gibt es kein Tier ${id}`,
    missingAdvice: "Es wurde entfernt, oder der Link ist falsch.",
    previous: "Voriges Tier (K)",
    next: "Nächstes Tier (J)",
    edit: "Bearbeiten",
    save: "Speichern",
    cancel: "Abbrechen",
    change: { available: "Verfügbar machen", pending: "Reservieren", sold: "Vermitteln" },
    changeOf: {
      available: (name) => `Verfügbar machen: ${name}`,
      pending: (name) => `Reservieren: ${name}`,
      sold: (name) => `Vermitteln: ${name}`,
    },
    back: (status, name) => `Zurück zu ${status}: ${name}`,
    backTitle: (status) => `Zurück zu ${status}`,
  },
  toasts: {
    isNow: (status) => ` ist jetzt ${status.toLowerCase()}.`,
    isSaved: " wurde gespeichert.",
    undo: "Rückgängig",
    undoTitle: "Rückgängig (U)",
    overtaken: "Jemand anderes war schneller:",
    isGone: " wurde entfernt.",
    mayBeChanged: " wurde vielleicht geändert. Ein neuer Versuch ist sicher.",
    isUnchanged: " wurde nicht geändert.",
  },
  shortcuts: {
    title: "Tastenkürzel",
    isOn: "Kürzel mit einer Taste verwenden",
    keys: [
      ["/", "Suchen"],
      ["↑ ↓", "Von Tier zu Tier gehen"],
      ["Enter", "Tier öffnen"],
      ["J K", "Nächstes oder voriges offenes Tier"],
      ["1 2 3", "Verfügbar machen, reservieren, vermitteln"],
      ["U", "Letzte Änderung rückgängig machen"],
      ["C", "Tiere hinzufügen"],
      ["Esc", "Schließen, was offen ist"],
      ["?", "Diese Tastenkürzel zeigen"],
    ],
  },
  add: {
    one: "Ein Tier",
    several: "Mehrere Tiere",
    submit: "Tier hinzufügen",
    sending: "Wird hinzugefügt …",
    cancel: "Abbrechen",
    change: "Ändern",
    discard: "Entwurf verwerfen",
    another: "Formular für ein weiteres Tier offen lassen",
    restored: "Das ist der Entwurf, den Sie hier begonnen haben.",
    nameLength: (count, max) => `${count} / ${max}`,
    nameProblems: (max) => ({
      missing: "Geben Sie einen Namen ein.",
      tooLong: `Der Name ist zu lang. Er darf höchstens ${max} Zeichen haben.`,
      forbidden: "Der Name enthält ein beschädigtes Zeichen. Geben Sie ihn neu ein.",
    }),
    categoryAdvice: "Eine ganze Zahl, zum Beispiel 7",
    categoryAdviceNamed: "Wählen Sie eine, oder geben Sie ihre Nummer ein",
    categoryProblems: {
      missing: "Geben Sie die Nummer einer Kategorie ein.",
      notInteger: "Geben Sie eine ganze Zahl in Ziffern ein, zum Beispiel 7.",
      unknown: "Keine Kategorie heißt so. Wählen Sie eine, oder geben Sie ihre Nummer ein.",
      tooLarge: "Die Zahl ist zu groß für den Katalog.",
    },
    unheard: "Es kam keine Antwort.",
    stopped: "Sie haben abgebrochen.",
    stoppedInTime: "Rechtzeitig abgebrochen.",
    safe: "Ein neuer Versuch ist sicher: Es wird nur einmal hinzugefügt.",
    mayBeAdded: "Das Tier wurde vielleicht schon hinzugefügt.",
    notAdded: "Es wurde nichts hinzugefügt. Ihr Entwurf bleibt erhalten.",
    retryIn: (seconds) =>
      seconds === "0" ? "Sie können es jetzt erneut versuchen." : `Sie können es in ${seconds} s erneut versuchen.`,
    notices: {
      changed:
        "Das Tier wurde vielleicht schon hinzugefügt. Sehen Sie in der Liste nach, bevor Sie es noch einmal hinzufügen.",
      reused:
        "Dieser Entwurf wurde schon mit anderem Inhalt gesendet, vielleicht aus einer Kopie dieses Tabs. Er ist jetzt ein neuer Entwurf. Sehen Sie in der Liste nach, bevor Sie ihn hinzufügen.",
    },
    added: { before: "", between: " wurde als ", after: " hinzugefügt." },
    failed: { before: "", after: " wurde vielleicht nicht hinzugefügt." },
    openForm: "Formular öffnen",
    dismiss: "Ausblenden",
    readOnlyAdvice: "Bitten Sie den Betreiber dieses Dienstes um einen Schlüssel, der das erlaubt.",
  },
  paste: {
    advice:
      "Kopieren Sie Zeilen Ihrer Tabelle, und fügen Sie sie hier ein: Name, Kategorie und Status. CSV funktioniert auch.",
    adviceMore:
      "Die erste Zeile darf die Namen der Spalten enthalten. Ohne Status ist ein Tier verfügbar. Leerzeichen um eine Zelle werden entfernt.",
    rows: "Zeilen der Tabelle",
    example: (statuses) => `Bella\t7\t${statuses[0]}\nMax\t12\t${statuses[1]}\nLuna\t7`,
    chooseFile: "Datei wählen",
    preview: "Vorschau",
    row: "Zeile",
    empty: "Noch nichts hinzuzufügen.",
    ready: (count) => (count === "1" ? "1 Tier bereit" : `${count} Tiere bereit`),
    needFix: (count) => (count === "1" ? "1 Zeile muss korrigiert werden" : `${count} Zeilen müssen korrigiert werden`),
    showInText: (row) => `Zeile ${row} korrigieren`,
    notDrawn: (count) =>
      count === "1" ? "1 weitere Zeile wird nicht gezeigt." : `${count} weitere Zeilen werden nicht gezeigt.`,
    missing: (column) => `Keine Spalte heißt ${column}. Nennen Sie eine Spalte in der ersten Zeile ${column}.`,
    excelFile: "Das ist eine Excel-Datei. Kopieren Sie die Zeilen, oder speichern Sie sie als CSV.",
    ignored: (columns) => `Diese Spalten werden nicht verwendet: ${columns}.`,
    repeated: (count) =>
      count === "1"
        ? "1 Zeile gleicht einer früheren. Sie wird als weiteres Tier hinzugefügt."
        : `${count} Zeilen gleichen früheren. Jede wird als weiteres Tier hinzugefügt.`,
    tooMany: (limit) =>
      `Nur die ersten ${limit} Zeilen werden jetzt hinzugefügt. Die anderen bleiben hier. Für große Dateien gibt es den Befehl: petstore pets import.`,
    tooLong:
      "Dieser Text ist zu lang. Fügen Sie weniger Zeilen ein, oder verwenden Sie den Befehl: petstore pets import.",
    add: (count) =>
      count === "0" ? "Tiere hinzufügen" : count === "1" ? "1 Tier hinzufügen" : `${count} Tiere hinzufügen`,
    adding: (count) => (count === "1" ? "1 Tier wird hinzugefügt …" : `${count} Tiere werden hinzugefügt …`),
    progress: (done, total) => `${done} von ${total} hinzugefügt`,
    stopping: "Wird angehalten …",
    added: (count) => (count === "1" ? "1 Tier wurde hinzugefügt." : `${count} Tiere wurden hinzugefügt.`),
    notAdded: (count) =>
      count === "1"
        ? "1 Zeile wurde nicht hinzugefügt. Sie steht noch im Formular."
        : `${count} Zeilen wurden nicht hinzugefügt. Sie stehen noch im Formular.`,
    noneAdded: "Es wurden keine Tiere hinzugefügt.",
    interrupted: "Die Seite wurde verlassen, bevor alle Zeilen gesendet waren.",
    again: "Fügen Sie sie noch einmal hinzu: Keine Zeile wird zweimal hinzugefügt.",
    show: (status) => `In „${status}“ ansehen`,
    unsure:
      "Vielleicht schon hinzugefügt. Lassen Sie diese Zeile, wie sie ist: Auch wenn sie erneut gesendet wird, wird das Tier nur einmal hinzugefügt.",
    rejected: "Der Dienst hat diese Zeile abgelehnt.",
    statusProblem: (statuses) => `Der Status muss einer von diesen sein: ${statuses}.`,
    unsureNewKey:
      "Vielleicht schon hinzugefügt, mit Ihrem früheren Schlüssel. Suchen Sie es in der Liste, bevor Sie es noch einmal hinzufügen.",
  },
  account: {
    menu: "Konto und Einstellungen",
    key: "API-Schlüssel",
    access: (canAdd) =>
      canAdd
        ? "Mit Ihrem Schlüssel können Sie Tiere ansehen und hinzufügen."
        : "Mit Ihrem Schlüssel können Sie Tiere ansehen, aber nicht hinzufügen.",
    keptForTab: "Er bleibt gespeichert, bis Sie diesen Tab schließen.",
    keptOnDevice: "Er bleibt auf diesem Gerät gespeichert, bis Sie sich abmelden.",
    language: "Sprache",
    reference: "API-Referenz",
  },
  link: {
    title: "Dieser Link hat einen anderen Schlüssel. Verwenden?",
    inUse: "Sie verwenden den Schlüssel",
    offered: "Der Link hat den Schlüssel",
    advice: "Verwenden Sie ihn nur, wenn Sie wissen, von wem der Link ist.",
    accept: "Schlüssel des Links verwenden",
    decline: "Meinen Schlüssel behalten",
  },
  signIn: {
    title: "Bei der Tiervermittlung anmelden",
    lead: "Sehen Sie, welche Tiere verfügbar, reserviert und vermittelt sind, und fügen Sie neue hinzu.",
    key: "API-Schlüssel",
    keyAdvice: "Er beginnt mit pst_. Sie bekommen ihn vom Betreiber dieses Dienstes.",
    showKey: "Schlüssel anzeigen",
    remember: "Auf diesem Gerät merken",
    rememberWarning:
      "Wer diesen Browser benutzt, kann dann den Katalog lesen und Ihren Schlüssel verwenden. Wählen Sie das nur auf Ihrem eigenen Gerät.",
    checking: "Der Schlüssel wird geprüft …",
    later: "Versuchen Sie es gleich noch einmal.",
    keyMissing: "Geben Sie einen API-Schlüssel ein.",
    keyForm: "Ein API-Schlüssel hat keine Leerzeichen, Anführungszeichen oder Umlaute.",
  },
  problems: {
    offline: {
      what: "Sie sind offline",
      todo: "Prüfen Sie Ihre Verbindung. Sobald Sie online sind, geht es automatisch weiter.",
    },
    unreachable: {
      what: "Der Dienst antwortet nicht",
      todo: "Vielleicht startet er neu. Der Versuch wird automatisch wiederholt.",
    },
    slow: { what: "Der Dienst hat zu lange gebraucht", todo: "Der Versuch wird automatisch wiederholt." },
    keyRejected: {
      what: "Ihr Schlüssel funktioniert nicht mehr",
      todo: "Er ist falsch, abgelaufen oder gesperrt. Melden Sie sich mit einem anderen an.",
    },
    keyUnknown: {
      what: "Dieser Schlüssel funktioniert nicht",
      todo: "Prüfen Sie, ob Sie ihn ganz kopiert haben. Er kann auch abgelaufen oder gesperrt sein.",
    },
    notAllowed: {
      what: "Ihr Schlüssel erlaubt das nicht",
      todo: "Bitten Sie den Betreiber um einen Schlüssel, der es erlaubt, oder verwenden Sie einen anderen.",
    },
    limited: {
      what: "Zu viele Anfragen",
      todo: "Ihr Schlüssel hat sein Limit erreicht. Es geht automatisch weiter.",
    },
    busy: { what: "Der Dienst ist überlastet", todo: "Der Versuch wird automatisch wiederholt." },
    rejected: {
      what: "Der Dienst hat die Anfrage abgelehnt",
      todo: "Laden Sie die Seite neu. Hilft das nicht, fragen Sie den Betreiber.",
    },
    failed: {
      what: "Im Dienst ist ein Fehler aufgetreten",
      todo: "Versuchen Sie es noch einmal. Bleibt der Fehler, nennen Sie dem Betreiber die Anfrage-ID.",
    },
    broken: {
      what: "Die Antwort des Dienstes ist unverständlich",
      todo: "Laden Sie die Seite neu. Vielleicht läuft schon eine neuere Version.",
    },
  },
  requestId: "Anfrage-ID",
  nextAttempt: (seconds) => `Nächster Versuch in ${seconds} s`,
};
