-- A database for Sluice, and a user who may do there what it needs, and no more. Run it once, as an administrator of the database,
-- with a password of your own:  mysql --user=root < conf/ledger.sql
-- Sluice makes its tables at the first start, and changes them at an upgrade.
CREATE DATABASE IF NOT EXISTS sluice CHARACTER SET utf8mb4;
CREATE USER IF NOT EXISTS 'sluice'@'%' IDENTIFIED BY 'sluice';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES, CREATE VIEW ON sluice.* TO 'sluice'@'%';
