// `node --watch` has every thread report what it imports, through the port on which the store's thread answers.
delete process.env.WATCH_REPORT_DEPENDENCIES;
