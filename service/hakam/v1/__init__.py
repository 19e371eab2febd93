"""The wire types of `hakam.v1`, generated from proto/ by `make gen`; not to be edited."""
